"""The cards of Omen: the card language, the card files with their checks, and the compiler to programs."""
