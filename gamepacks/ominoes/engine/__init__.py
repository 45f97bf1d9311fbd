"""The compiled rules of Ominoes."""
