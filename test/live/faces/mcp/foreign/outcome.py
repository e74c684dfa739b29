"""What both official Python clients print of their calls; foreign.test.ts compares it."""

import asyncio
import json
import sys


def outcome(version, tools, updated, progress, hover, status):
    return {
        "version": version,
        "tools": [tool.name for tool in tools.tools],
        "updated": str(updated),
        "progress": progress,
        "hover": hover.content[0].text,
        "status": status.contents[0].text,
    }


def print_outcome(main):
    print(json.dumps(asyncio.run(main(json.loads(sys.argv[1])))))
