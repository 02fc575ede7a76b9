"""A small MCP client for shell tests: sends lines to a server as a script says, prints what comes.

usage: mcp.py COMMAND... <SCRIPT. Lines of the script:
  {...} or anything else   is sent as it is
  =wait ID                 waits for the answer with this id (JSON), 20 s at most
  =request METHOD          waits for a request of the server's; its id replaces ID in `=reply`
  =reply JSON              answers it: the result
  =refuse                  answers it with an error
  =any                     waits for one more line
  =told METHOD             waits for a notification that no `=told` has waited for yet
  =run COMMAND             runs it with sh
  =signal N                sends a signal to the server
Then standard input is closed; all that came is printed, and the exit status is the server's.
"""
import json, queue, subprocess, sys, threading

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
came = queue.Queue()
seen = []

def listen():
    for line in server.stdout:
        came.put(line)
    came.put(None)

listener = threading.Thread(target=listen, daemon=True)
listener.start()

def take():
    line = came.get(timeout=20)
    if line is None:
        sys.exit('the server has ended')
    seen.append(json.loads(line))
    return seen[-1]

def until(wanted):
    for m in seen:
        if wanted(m):
            return m
    while True:
        m = take()
        if wanted(m):
            return m

asked = None
told = []
for line in sys.stdin:
    word, _, rest = line.strip().partition(' ')
    if word == '=wait':
        until(lambda m: 'method' not in m and json.dumps(m.get('id')) == rest)
    elif word == '=request':
        asked = until(lambda m: m.get('method') == rest and 'id' in m)
        seen.remove(asked)
    elif word == '=reply':
        server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': asked['id'],
                                       'result': json.loads(rest)}).encode() + b'\n')
    elif word == '=refuse':
        server.stdin.write(json.dumps({'jsonrpc': '2.0', 'id': asked['id'],
                                       'error': {'code': -32603, 'message': 'no'}}).encode() + b'\n')
    elif word == '=any':
        take()
    elif word == '=told':
        told.append(until(lambda m: m.get('method') == rest and 'id' not in m
                          and not any(m is t for t in told)))
    elif word == '=run':
        subprocess.run(['sh', '-ec', rest], check=True, stdout=sys.stderr)
    elif word == '=signal':
        server.send_signal(int(rest))
    else:
        server.stdin.write(line.encode())
    try:
        server.stdin.flush()
    except BrokenPipeError:
        pass
try:
    server.stdin.close()
except BrokenPipeError:
    pass
status = server.wait(timeout=20)
listener.join(5)
while not came.empty():
    line = came.get()
    if line:
        seen.append(json.loads(line))
for m in seen:
    print(json.dumps(m, separators=(',', ':')))
sys.exit(status)
