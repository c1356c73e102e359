"""`python -m zhiyin`."""

import sys

from zhiyin.cli import main

sys.exit(main())
