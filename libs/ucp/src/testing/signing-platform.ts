import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const VERSION = '2026-04-08';
const entry = { version: VERSION, spec: 'https://ucp.dev/spec', schema: 'https://ucp.dev/schema' };

/** What of a signed request is another than it should be. */
export interface Signing {
  readonly idempotencyKey?: string;
  /** The components, where others are covered than have to be. */
  readonly components?: readonly string[];
  readonly keyid?: string;
  /** Parameters after `keyid`, as `;created=1`. */
  readonly parameters?: string;
  readonly authority?: string;
  readonly digest?: string;
}

type Headers = Readonly<Record<string, string>>;

/** A platform over loopback, whose profile lists what it can do and its key. It signs as the specification has it, by no code of ours. */
export class SigningPlatform {
  capabilities: Readonly<Record<string, readonly object[]>>;
  asked = 0;
  private key: KeyObject;
  private port = 0;
  private readonly server = createServer((_, response) => {
    this.asked += 1;
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=86400' });
    response.end(JSON.stringify(this.profile));
  });

  private constructor(
    private curve: 'P-256' | 'P-384',
    private kid = 'key-1',
  ) {
    this.key = generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
    const names = ['checkout', 'order', 'catalog.search', 'catalog.lookup'].map((name) => `dev.ucp.shopping.${name}`);
    this.capabilities = Object.fromEntries(names.map((name) => [name, [entry]]));
  }

  static async open(curve: 'P-256' | 'P-384' = 'P-256'): Promise<SigningPlatform> {
    const platform = new SigningPlatform(curve);
    await new Promise<void>((resolve) => platform.server.listen(0, '127.0.0.1', resolve));
    platform.port = (platform.server.address() as AddressInfo).port;
    return platform;
  }

  get profileUrl(): string {
    return `http://127.0.0.1:${this.port}/profile.json`;
  }

  /** Where the order capability says that it wants to be told of orders. */
  tellAt(webhookUrl: string): void {
    const order = 'dev.ucp.shopping.order';
    this.capabilities = { ...this.capabilities, [order]: [{ ...entry, config: { webhook_url: webhookUrl } }] };
  }

  /** Another key from now on, under this name. */
  takeKey(kid: string): void {
    this.kid = kid;
    this.key = generateKeyPairSync('ec', { namedCurve: this.curve }).privateKey;
  }

  /** What it can do beside that. */
  knows(name: string): void {
    this.capabilities = { ...this.capabilities, [name]: [entry] };
  }

  /** The key that it signs with, as it is named in its profile. */
  get signingKey() {
    return { kid: this.kid, privateKey: this.key };
  }

  /** The headers of a request that is signed, its `content-type` included. */
  headers(method: string, url: string, body: string | null = null, signing: Signing = {}): Headers {
    const { host, pathname, search } = new URL(url);
    const digest =
      signing.digest ??
      `sha-256=:${createHash('sha256')
        .update(body ?? '')
        .digest('base64')}:`;
    const headers: Headers = {
      'ucp-agent': `profile="${this.profileUrl}"`,
      ...(signing.idempotencyKey !== undefined && { 'idempotency-key': signing.idempotencyKey }),
      ...(body !== null && { 'content-digest': digest, 'content-type': 'application/json' }),
    };
    const derived: Headers = {
      '@method': method,
      '@authority': signing.authority ?? host,
      '@path': pathname,
      ...(search !== '' && { '@query': search }),
    };
    const values = { ...derived, ...headers };
    const components = signing.components ?? Object.keys(values);
    const names = components.map((name) => `"${name}"`).join(' ');
    const parameters = `(${names});keyid="${signing.keyid ?? this.kid}"${signing.parameters ?? ''}`;
    const lines = components.map((name) => `"${name}": ${values[name as keyof typeof values] ?? ''}`);
    const base = [...lines, `"@signature-params": ${parameters}`].join('\n');
    const hash = this.curve === 'P-256' ? 'sha256' : 'sha384';
    const bytes = sign(hash, Buffer.from(base), { key: this.key, dsaEncoding: 'ieee-p1363' });
    return {
      ...headers,
      'signature-input': `sig1=${parameters}`,
      signature: `sig1=:${bytes.toString('base64')}:`,
    };
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private get profile() {
    const { kty, crv, x, y } = this.key.export({ format: 'jwk' });
    return {
      ucp: { version: VERSION, services: {}, payment_handlers: {}, capabilities: this.capabilities },
      signing_keys: [{ kid: this.kid, kty, crv, x, y, use: 'sig' }],
    };
  }
}
