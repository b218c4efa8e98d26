"""An episode: Dog's Judgement, and the Death Match in Gravity Pandemic that may follow it (rule 16)."""
