"""``python -m headworks.cli``: the command line where no script is installed."""

from headworks.cli.main import run

if __name__ == "__main__":
    run()
