def bot_options(c): return c
