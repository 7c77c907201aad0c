"""python -m ringmaster_dashboard: the dashboard."""

from . import main

main()
