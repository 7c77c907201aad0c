// Gives the precompiled headers of the tests a target; it has no code of its own.
