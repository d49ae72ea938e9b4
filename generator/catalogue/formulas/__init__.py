"""Byte formulas: read, evaluated at given sizes, and written as people read them."""
