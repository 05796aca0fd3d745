"""Programs that learn a game by playing it against themselves. Needs PyTorch; what they learnt needs only NumPy."""
