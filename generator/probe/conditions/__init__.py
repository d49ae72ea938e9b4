"""What changes when a reference call is made under another condition, or under two."""
