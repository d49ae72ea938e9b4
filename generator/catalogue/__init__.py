"""The catalogue: its typed model, its file, its rules and the comparison of two of them."""
