"""How sure an answer is: doubts, what each costs, and what a threshold means."""
