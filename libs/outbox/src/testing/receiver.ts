import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it arrived. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: {
    readonly id: string;
    readonly type: string;
    readonly cursor: string;
    readonly challenge?: string;
    readonly data: object;
  };
}

/** How a message is answered; null: not at all. */
export type Answering = (received: Received, response: ServerResponse) => number | null;

/** Somebody's program that is told of events, over loopback. It answers the verification, and 204 to all else. */
export class Receiver {
  readonly all: Received[] = [];
  /** Whether it counts what it receives and keeps nothing of it. */
  isForgetful = false;
  count = 0;
  /** How it answers what is no verification. */
  answer: Answering = () => 204;
  /** Whether it answers the verification. */
  verifies = true;
  private port = 0;
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    response.on('error', () => undefined);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const body = JSON.parse(text) as Received['body'];
      const received = { headers: request.headers as Received['headers'], text, body };
      this.count += 1;
      if (!this.isForgetful) this.all.push(received);
      const json = { 'content-type': 'application/json' };
      if (body.type === 'verification' && this.verifies)
        return void response.writeHead(200, json).end(JSON.stringify({ challenge: body.challenge }));
      const status = this.answer(received, response);
      if (status !== null && !response.headersSent) response.writeHead(status).end();
    });
  });

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await receiver.listen();
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/avisos`;
  }

  /** What it was told of events. */
  get told(): readonly Received[] {
    return this.all.filter(({ body: { type } }) => type !== 'verification' && type !== 'test');
  }

  /** Listens again, where it did before. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
