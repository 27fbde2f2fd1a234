import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTurn } from '#kernel';

/** How many requests a connection may send ahead of the answer that it waits for. Each takes some 3 KB until its turn. */
const MOST_AHEAD = 64;

/** A request that has arrived. */
interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Runs a connection's requests one by one, each once the last answer is flushed. Too many ahead cut it off (RFC 9112 §9.3.2). */
export const inTurn = (answer: RequestListener): RequestListener => {
  /** By connection that is being answered, what waits behind that. */
  const lines = new WeakMap<Socket, Arrived[]>();
  const begin = ({ request, response }: Arrived): void => {
    const { socket } = request;
    // It comes once by itself.
    response.on('close', () => {
      const next = lines.get(socket)?.shift();
      if (!next) lines.delete(socket);
      else void nextTurn().then(() => begin(next));
    });
    if (socket.destroyed) lines.delete(socket);
    else answer(request, response);
  };
  return (request, response) => {
    const line = lines.get(request.socket);
    if (!line) {
      lines.set(request.socket, []);
      begin({ request, response });
    } else if (line.length < MOST_AHEAD) line.push({ request, response });
    else request.socket.destroy();
  };
};
