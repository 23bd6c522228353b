"""Runs moto on a free port and prints the port. Ends with the process that started it."""

import copy
import logging
import os
import sys
import threading
from types import SimpleNamespace

from moto.dynamodb import models
from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import make_server


def end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


def copying_each_table_once(transact):
    """Copies each table once per transaction. moto copies the whole table for every item before the first write."""

    def transact_write_items(self, transact_items):
        copies = {}

        def deepcopy(thing):
            if not isinstance(thing, models.Table):
                return copy.deepcopy(thing)
            if thing.name not in copies:
                copies[thing.name] = copy.deepcopy(thing)
            return copies[thing.name]

        models.copy = SimpleNamespace(deepcopy=deepcopy)
        try:
            return transact(self, transact_items)
        finally:
            models.copy = copy

    return transact_write_items


models.DynamoDBBackend.transact_write_items = copying_each_table_once(
    models.DynamoDBBackend.transact_write_items
)
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
