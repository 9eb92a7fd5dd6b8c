"""The games in the shapes of other libraries. A module imports its library, or says what to install."""
