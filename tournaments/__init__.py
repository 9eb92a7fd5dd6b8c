"""Who plays whom, what happened, who is better. The command line is `tournaments.cli`."""
