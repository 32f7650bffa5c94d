"""The command ``exactum``."""

import sys

from . import _exactum


def main() -> int:
    """Runs the command with the arguments of this process and returns its exit code."""
    return _exactum.main(["exactum", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
