"""`python -m cardtown` is the same as `cardtown`."""

from cardtown.cli import main

main()
