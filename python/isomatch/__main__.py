"""``python -m isomatch``: the command line."""

from isomatch.cli import main

if __name__ == "__main__":
    main()
