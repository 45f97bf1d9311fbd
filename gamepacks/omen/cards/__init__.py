"""The cards of Omen: their language, their files and checks, and the program that they are compiled to."""
