"""How the three streams are opened, and in which order what is written arrives."""

import os
import sys

for name in ("stdin", "stdout", "stderr"):
    file = getattr(sys, name)
    print(name, file.mode, file.encoding, file.errors, file.line_buffering, file.write_through, file.isatty(),
          type(file.buffer).__name__, file.buffer.mode)
print("no newline", end="")
os.write(1, b"|written past it\n")
print("to stderr", end="", file=sys.stderr)
os.write(2, b"|written past it\n")
print("at the end", end="")
