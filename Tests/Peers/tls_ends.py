"""A WebSocket server over TLS that ends its connections in one of several ways: tls_ends.py --cert C --key K WAY

WAY is close (a Close frame, then the end of the stream without close_notify), notify (close_notify, and no Close),
or cut (the end of the stream without either).
"""

import argparse
import base64
import hashlib
import socket
import ssl

parser = argparse.ArgumentParser()
parser.add_argument("--cert", required=True)
parser.add_argument("--key", required=True)
parser.add_argument("way", choices=["close", "notify", "cut"])
options = parser.parse_args()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(options.cert, options.key)

with socket.create_server(("127.0.0.1", 0)) as listener:
    listener.settimeout(60)
    print(f"listening on wss://127.0.0.1:{listener.getsockname()[1]}/", flush=True)
    for _ in range(8):
        plain, _address = listener.accept()
        plain.settimeout(20)
        line = context.wrap_socket(plain, server_side=True)
        head = b""
        while b"\r\n\r\n" not in head:
            head += line.recv(4096)
        fields = dict(row.split(": ", 1) for row in head.decode().split("\r\n")[1:] if ": " in row)
        word = fields["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(word.encode()).digest()).decode()
        line.sendall(
            (
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Accept: {accept}\r\n\r\n"
            ).encode()
            + b"\x81\x02hi"
        )
        if options.way == "close":
            line.sendall(b"\x88\x05\x03\xe8bye")
            line.recv(4096)
        if options.way == "notify":
            line.unwrap()
        else:
            # Closes the socket beneath TLS, which has not said goodbye.
            socket.socket(fileno=line.detach()).close()
