"""A relay of messages by another's library: peers.py websockets|socketify PORT. The sockets `/N/0` and `/N/1` hear each other. Prints a line when it listens."""
import asyncio
import collections
import sys


def by_websockets(port):
    import websockets.asyncio.server  # pylint: disable=import-outside-toplevel

    groups = collections.defaultdict(set)

    async def serve(socket):
        group = groups[socket.request.path.rsplit("/", 1)[0]]
        group.add(socket)
        try:
            async for message in socket:
                for other in tuple(group):
                    if other is not socket:
                        await other.send(message)
        except websockets.exceptions.ConnectionClosed:
            pass
        finally:
            group.discard(socket)

    async def main():
        async with websockets.asyncio.server.serve(serve, "127.0.0.1", port, compression=None, backlog=1024):
            print("listening", flush=True)
            await asyncio.Future()

    asyncio.run(main())


def by_socketify(port):
    from socketify import App, AppListenOptions  # pylint: disable=import-outside-toplevel

    app = App()

    def upgrade(response, request, context):
        response.upgrade(request.get_header("sec-websocket-key"), "", "", context, request.get_url())

    def opened(socket):
        socket.subscribe(socket.get_user_data())

    def message(socket, content, opcode):
        # A message to the own topic would come back to its sender.
        pair, side = socket.get_user_data().rsplit("/", 1)
        socket.publish(f"{pair}/{1 - int(side)}", content, opcode)

    app.ws("/*", {"compression": 0, "max_payload_length": 65_536, "idle_timeout": 120, "upgrade": upgrade, "open": opened, "message": message})
    app.listen(AppListenOptions(port=port, host="127.0.0.1"), lambda _: print("listening", flush=True))
    app.run()


if __name__ == "__main__":
    {"websockets": by_websockets, "socketify": by_socketify}[sys.argv[1]](int(sys.argv[2]))
