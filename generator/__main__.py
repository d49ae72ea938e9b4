"""`python -m generator`: the command line, from a checkout that was not installed."""

from generator.cli import main

main()
