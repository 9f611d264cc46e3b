"""Ports for servers that can't take one of the kernel's choice and report it, or that keep theirs over restarts."""
import socket

held = []


def reserved_port():
    """A port of 127.0.0.1 that nobody else gets until this process ends.

    A socket is bound to it and never listens. The kernel then gives the port to nobody who asks for any, while a server that is told the port
    can listen there: servers set SO_REUSEADDR.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    held.append(holder)
    return holder.getsockname()[1]
