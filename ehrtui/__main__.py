"""`python -m ehrtui` is `ehrtui`."""

import sys

from ehrtui.cli import main

sys.exit(main())
