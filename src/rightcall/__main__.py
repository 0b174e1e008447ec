"""`python -m rightcall` is the command line."""

from rightcall.app.cli import main

if __name__ == "__main__":
    main()
