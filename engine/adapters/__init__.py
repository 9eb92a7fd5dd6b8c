"""The games in the shapes of other libraries. Each module imports its library, and says what to install without it."""
