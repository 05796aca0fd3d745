"""Cardtown: card games about cities, played by people and bots, studied at the speed of compiled code."""
