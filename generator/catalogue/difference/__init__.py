"""What a person is told of two catalogues: changes of one cause as one finding, in words."""
