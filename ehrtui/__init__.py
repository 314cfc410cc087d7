"""ehrtui: explore an EHR database by conversation, in the terminal."""

__version__ = "0.2.0"
