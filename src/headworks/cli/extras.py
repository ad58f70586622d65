"""Extras: parts that are installed for what needs them.

Takes an extra's name and its modules, gives nothing where all are here. Never imports them.
"""

from importlib.util import find_spec

from headworks.errors import ConfigError


def needed(extra: str, *modules: str) -> None:
    """Raise ConfigError (E_CONFIG) with the command that installs what is missing."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        message = f"{', '.join(missing)} not installed: pip install 'headworks[{extra}]'"
        raise ConfigError("E_CONFIG", message)
