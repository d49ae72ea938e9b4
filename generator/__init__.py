"""What the Tape Kept: a measured catalogue of what PyTorch's autograd keeps alive for backward."""
