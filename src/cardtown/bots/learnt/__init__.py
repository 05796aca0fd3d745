"""Bots that have learnt: a network that `cardtown train` made guides the search, or chooses by itself."""
