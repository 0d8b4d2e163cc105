import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { HubResponse } from '../http.ts';

/** Writes the 101 that the answer is and hands the connection over; from then on it carries no HTTP. */
export function switchProtocols({ headers, tunnel }: HubResponse, socket: Socket, head: Buffer): void {
  const lines = ['HTTP/1.1 101 Switching Protocols'];
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      lines.push(`${name}: ${value}`);
    }
  }
  socket.setTimeout(0);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  tunnel?.open(socket, head);
}
