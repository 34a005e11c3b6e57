"""`python -m entrypoints` is the command `statestore`."""

from entrypoints.cli.app import main

if __name__ == "__main__":
    main()
