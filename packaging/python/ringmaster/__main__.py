"""python -m ringmaster: the command."""

from ._command import main

main()
