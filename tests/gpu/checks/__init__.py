"""What is checked on a machine with a GPU; see ../README.md."""
