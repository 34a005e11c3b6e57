"""`python -m entrypoints` is the command `statestore`."""

from entrypoints.cli import main

if __name__ == "__main__":
    main()
