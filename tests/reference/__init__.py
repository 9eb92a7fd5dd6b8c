"""Independent referees, written from the published rules alone, that the engine is compared with."""
