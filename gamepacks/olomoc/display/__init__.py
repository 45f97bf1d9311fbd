"""The game for people: sentences, the drawn board, the picture, and what is typed at a terminal."""
