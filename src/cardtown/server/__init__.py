"""The table server: people and bots at one table over the network. The log is the table."""

from importlib.metadata import version

VERSION = version("cardtown")
