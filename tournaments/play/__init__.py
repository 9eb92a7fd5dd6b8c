"""A person at the table: the game, the table as the person sees it, who is invited, and the file of games."""
