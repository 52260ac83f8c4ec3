"""A TLS server of Python's ssl module: tls_echo.py CERT KEY 1.2|1.3 COUNT [cut]

Prints its port, then a line for each of COUNT connections: whether the session was resumed. Sends back what
comes first, and ends the connection, with `cut` without close_notify.
"""

import socket
import ssl
import sys

certificate, key, version, count = sys.argv[1:5]
cuts = sys.argv[5:] == ["cut"]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
only = ssl.TLSVersion.TLSv1_2 if version == "1.2" else ssl.TLSVersion.TLSv1_3
context.minimum_version = context.maximum_version = only

with socket.create_server(("127.0.0.1", 0)) as listener:
    listener.settimeout(40)
    print(listener.getsockname()[1], flush=True)
    for _ in range(int(count)):
        plain, _address = listener.accept()
        plain.settimeout(40)
        with context.wrap_socket(plain, server_side=True) as line:
            print("resumed" if line.session_reused else "full", flush=True)
            line.sendall(line.recv(1000))
            if not cuts:
                line.unwrap()
