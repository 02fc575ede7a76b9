"""A proxy between libpq and a PostgreSQL server, on Unix sockets: it breaks one connection at a step.

usage: pgproxy.py LISTEN TARGET PLAN. The file PLAN has one line: N WHEN COMMAND. Each request counts
N down, over all connections. At the request that makes it 0 the file goes, and:
  before   COMMAND runs, then the request goes on to whatever is left of the server
  cut      the connection ends, and the server never sees the request
  after    the server answers, COMMAND runs, and the connection ends before the answer is seen
  copying  COMMAND runs when the server next waits for rows of a COPY, and the connection goes on
"""
import os, socket, subprocess, sys, threading

listen, target, plan = sys.argv[1:]
counting = threading.Lock()

def run(command):
    subprocess.run(['sh', '-c', command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

def due():
    with counting:
        try:
            n, when, command = open(plan).read().rstrip('\n').split(' ', 2)
        except FileNotFoundError:
            return None, None
        if int(n) > 1:
            with open(plan + '.new', 'w') as f:
                f.write('%d %s %s\n' % (int(n) - 1, when, command))
            os.rename(plan + '.new', plan)
            return None, None
        os.remove(plan)
        return when, command

class Link:
    def __init__(self, client):
        self.client, self.server = client, socket.socket(socket.AF_UNIX)
        self.after = self.copying = None
        try:
            self.server.connect(target)
        except OSError:
            return self.end()
        threading.Thread(target=self.pump, args=(client, self.server, True), daemon=True).start()
        threading.Thread(target=self.pump, args=(self.server, client, False), daemon=True).start()

    def end(self):
        for s in (self.client, self.server):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            s.close()

    def pump(self, source, sink, requests):
        try:
            stream = source.makefile('rb')
            kind = b''  # the first message of a client has none
            while True:
                if not requests or kind is None:
                    kind = stream.read(1)
                    if not kind:
                        break
                size = stream.read(4)
                message = kind + size + stream.read(int.from_bytes(size, 'big') - 4)
                # Sync, Query, CopyDone; ReadyForQuery, CopyInResponse.
                if requests and kind in (b'S', b'Q', b'c'):
                    when, command = due()
                    if when == 'cut':
                        break
                    if when == 'before':
                        run(command)
                    elif when == 'after':
                        self.after = command
                    elif when == 'copying':
                        self.copying = command
                elif not requests and self.after is not None and kind in (b'Z', b'G'):
                    run(self.after)
                    break
                elif not requests and self.copying is not None and kind == b'G':
                    run(self.copying)
                    self.copying = None
                sink.sendall(message)
                kind = None
        except OSError:
            pass
        self.end()

door = socket.socket(socket.AF_UNIX)
door.bind(listen)
door.listen(16)
while True:
    Link(door.accept()[0])
