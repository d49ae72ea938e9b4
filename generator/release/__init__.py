"""A PyTorch release from the outside: what it needs, its own environment, its probe."""
