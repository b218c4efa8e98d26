"""Gravity Pandemic, by the rules page's numbered rulings."""
