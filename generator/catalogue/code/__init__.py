"""What a piece of Python calls: read from its text, without torch."""
