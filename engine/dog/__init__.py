"""Dog's Judgement, by the rules page's numbered rulings."""
