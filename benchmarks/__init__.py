"""How fast this engine is, next to others on the same machine in the same run: `python -m benchmarks.run`."""
