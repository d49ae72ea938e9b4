"""Kinds of write after the call: which autograd sees, and which it cannot see."""
