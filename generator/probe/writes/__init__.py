"""Write into the tensors of a call once it is made, and record what that does to backward."""
