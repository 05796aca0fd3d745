"""The code that bots think with, compiled for each game: a tree search, and exact play where little is left to come.

It knows the rules only by the names of `core.rulebook`. The other modules of `bots` may change without compiling anew.
"""
