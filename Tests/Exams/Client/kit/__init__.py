"""Tries clients of docs/client.md. Some of its modules are those of Tests/Interface."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../../Interface"))
