"""moto on a free port, which it prints first. It ends with the process that started it."""

import logging
import os
import sys
import threading

from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import make_server


def end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_parent, daemon=True).start()
logging.getLogger("werkzeug").setLevel(logging.ERROR)

# One request at a time: with threads, moto's transactions would not be atomic.
server = make_server(
    "127.0.0.1",
    0,
    DomainDispatcherApplication(create_backend_app),
    threaded=False,
    request_handler=MotoRequestHandler,
)
print(server.port, flush=True)
server.serve_forever()
