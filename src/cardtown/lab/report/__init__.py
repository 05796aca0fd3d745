"""The balance report: what many games of bots show of a game, for whoever designs it."""
