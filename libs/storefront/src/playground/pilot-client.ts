import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type ClientRegistration, OAuthSettings } from '#oauth';
import { innerSend } from '../inner-send.js';

export interface Exchange {
  /** The request as it was sent, without the client secret and the code verifier. */
  readonly request: string;
  /** `body`: parsed JSON; null where there was none. */
  readonly response: { readonly status: number; readonly body: unknown };
}

const FORM = 'application/x-www-form-urlencoded';
/** Replaces secrets that never leave the server. */
const MASK = '••••••••';

/** The pilot client's own server: real HTTP requests through every hook and guard, without the network. */
@Injectable()
export class PilotClient {
  private readonly pilot: ClientRegistration;

  constructor({ clients }: OAuthSettings) {
    const pilot = clients.find((client) => client.pilot);
    if (!pilot) throw new Error('the playground needs the pilot client');
    this.pilot = pilot;
  }

  get clientId(): string {
    return this.pilot.clientId;
  }

  /** Sends a form with the pilot's credentials. It counts against the limits of the sender of `from`. */
  async post(
    path: '/oauth/token' | '/oauth/revoke',
    fields: Readonly<Record<string, string>>,
    from: FastifyRequest,
  ): Promise<Exchange> {
    const answer = await innerSend(from)(new URL(path, from.urls.auth), {
      method: 'POST',
      headers: { authorization: this.credentials() },
      body: new URLSearchParams(fields),
    });
    const text = await answer.text();
    const response = { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    return { request: this.shown(path, fields, from.headers.host ?? ''), response };
  }

  /** `client_secret_basic` (RFC 6749 §2.3.1). */
  private credentials(): string {
    const [name, secret] = [this.pilot.clientId, this.pilot.secret ?? ''].map(encodeURIComponent);
    return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
  }

  private shown(path: string, fields: Readonly<Record<string, string>>, host: string): string {
    const lines = Object.entries(fields).map(
      ([name, value]) => `${name}=${name === 'code_verifier' ? MASK : encodeURIComponent(value)}`,
    );
    return [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Basic base64(${this.pilot.clientId}:${MASK})`,
      `Content-Type: ${FORM}`,
      '',
      lines.join('\n&'),
    ].join('\n');
  }
}
