import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface CaughtMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly parsed: ParsedMail;
  /** As it was sent. */
  readonly raw: string;
}

/** A mail server of this machine that keeps what it is sent. */
export class CaughtMails {
  readonly mails: CaughtMail[] = [];
  /** With which code the next recipients are refused; null: with none. */
  refusal: number | null = null;
  private server: SMTPServer | null = null;
  private port = 0;

  get url(): string {
    return `smtp://alcada:segredo-do-correio@127.0.0.1:${this.port}`;
  }

  async open(): Promise<this> {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => callback(null, { user: 'alcada' }),
      onRcptTo: ({ address }, _session, callback) => {
        if (this.refusal === null) callback();
        else callback(Object.assign(new Error(`<${address}> is refused`), { responseCode: this.refusal }));
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address).join();
          void this.keep(to, Buffer.concat(chunks)).then(() => callback(), callback);
        });
      },
    });
    server.on('error', () => undefined); // a client that is gone
    server.listen(this.port, '127.0.0.1');
    await once(server.server, 'listening');
    // A server that listens on a port has such an address.
    this.port = (server.server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  /** Closes it; opened again it has the same address. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.server) this.server.close(resolve);
      else resolve();
    });
  }

  private async keep(to: string, bytes: Buffer): Promise<void> {
    const parsed = await simpleParser(bytes);
    const { subject = '', text = '', html } = parsed;
    this.mails.push({ to, subject, text, html: html || '', parsed, raw: bytes.toString('latin1') });
  }
}
