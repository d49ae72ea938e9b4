"""What an error message of autograd means: who saved, who wrote, and what helps."""
