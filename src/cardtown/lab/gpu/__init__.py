"""The lab on a GPU: the same rules, one game per thread."""
