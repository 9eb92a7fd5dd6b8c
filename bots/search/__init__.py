"""The parts that the searching bots are made of; each is named after its source and can be switched.

`settings` says what a search is told and gives it room, `tree` is the tree, `descent` walks down it,
`playout_policy` plays on from there, `rewards` says what the end was worth, `kernel` puts these together
for one seat's tree. `options` are the options of the bots, `searcher` spends a budget on a decision and
`explanation` says what came of it.
"""
