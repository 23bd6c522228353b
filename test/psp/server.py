"""Runs localstripe on a free port of the loopback address and prints the port. Ends with its parent process."""

import os
import socket
import sys
import threading

from aiohttp import web
from localstripe import resources
from localstripe.server import app


def end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


# localstripe would write its objects into the temporary folder after every request.
resources.Store.dump_to_disk = lambda self: None
threading.Thread(target=end_with_parent, daemon=True).start()

# Its own command would listen on every address of the machine.
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
web.run_app(app, sock=listener, access_log=None, print=None)
