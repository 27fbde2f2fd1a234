import { baseUrlsAt, type SignedRequest } from '#http';
import { DocumentUnread, type RemoteDocument, RemoteDocuments } from './remote-documents.port.js';
import { millisecondsOf, nextTurn, plus } from '#kernel';
import { ManualClock } from '#testing';
import { KeyDirectories } from './key-directories.js';
import { newSigner, signedHeaders, type Signing } from './testing/index.js';
import { WebBotAuth } from './web-bot-auth.js';

const AT = '/.well-known/http-message-signatures-directory';
const agent = newSigner();

class Published extends RemoteDocuments {
  readonly fetched: string[] = [];
  readonly documents = new Map<string, Readonly<Record<string, unknown>>>();
  mediaType = 'application/http-message-signatures-directory+json';
  /** Hosts answer once it resolves. */
  answers: Promise<void> = Promise.resolve();
  private readonly known = new Map<string, RemoteDocument>();

  constructor(private readonly clock: ManualClock) {
    super();
  }

  override kept(url: string): RemoteDocument | null {
    return this.known.get(url) ?? null;
  }

  override async get(url: string, noOlderThan = Infinity): Promise<RemoteDocument> {
    const known = this.known.get(url);
    const now = millisecondsOf(this.clock.now());
    if (known && now - millisecondsOf(known.fetchedAt) <= noOlderThan) return known;
    this.fetched.push(url);
    await this.answers;
    const body = this.documents.get(url);
    if (!body) throw new DocumentUnread('unreachable');
    const { mediaType } = this;
    const document = { body, mediaType, fetchedAt: this.clock.now(), freshUntil: plus(this.clock.now(), 3_600_000) };
    this.known.set(url, document);
    return document;
  }
}

let clock: ManualClock;
let published: Published;
let webBotAuth: WebBotAuth;
beforeEach(() => {
  clock = new ManualClock();
  published = new Published(clock);
  published.documents.set(`https://agent.example${AT}`, { keys: [agent.jwk] });
  webBotAuth = new WebBotAuth(new KeyDirectories(published), clock);
});

const now = () => Math.floor(millisecondsOf(clock.now()) / 1_000);
const request = (headers: SignedRequest['headers'], about: Partial<SignedRequest> = {}): SignedRequest => ({
  method: 'POST',
  url: '/api/v1/bookings',
  originalUrl: about.url ?? '/api/v1/bookings',
  urls: baseUrlsAt('https://voos.example'),
  ...about,
  headers: { host: 'voos.example', ...headers },
});
const headers = (signing: Partial<Signing> = {}, signer = agent) =>
  signedHeaders(signer, { created: now(), ...signing });
const written = (signed: SignedRequest['headers'], about?: Partial<SignedRequest>) =>
  webBotAuth.ofWrite(request(signed, about));

const VERIFIED = { outcome: 'verified', host: 'agent.example', coversRequest: false };
const UNVERIFIED = { outcome: 'unverified' };
const wrong = (reason: string) => ({ outcome: 'wrong', reason });

describe('a signed write', () => {
  it('is from the agent whose host publishes the key', async () => {
    expect(await written(headers())).toEqual(VERIFIED);
    expect(published.fetched).toEqual([`https://agent.example${AT}`]);
    expect(await written(headers({ alg: 'ed25519', nonce: 'n1' }))).toEqual(VERIFIED);
    expect(published.fetched).toHaveLength(1);
  });

  it('covers one request alone where it covers the digest of its body, and has a nonce', async () => {
    const digest = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:';
    expect(await written(headers({ digest, nonce: 'once' }))).toEqual({ ...VERIFIED, coversRequest: true });
    expect(await written(headers({ digest }))).toEqual(VERIFIED);
    expect(await written(headers({ nonce: 'uncovered' }))).toEqual(VERIFIED);
    const other = { ...headers({ digest, nonce: 'other' }), 'content-digest': digest.replace('47', '48') };
    expect(await written(other)).toEqual(wrong('signature_mismatch'));
  });

  it('may name the directory itself, or have the bare form of earlier drafts', async () => {
    const address = `"https://agent.example${AT}"`;
    expect(await written(headers({ agent: `a1=${address}`, member: address }))).toEqual(VERIFIED);
    // The same bytes signed over the whole header, which is one text.
    const whole = (text: string | undefined) => (text ?? '').replace('"signature-agent";key="a1"', '"signature-agent"');
    const signed = headers({ agent: '"https://agent.example"' });
    const moved = { ...signed, 'signature-input': whole(signed['signature-input']) };
    expect(await written(moved)).toEqual(wrong('signature_mismatch'));
  });

  it('is judged by the time in which it is good', async () => {
    const hour = 3_600;
    expect(await written(headers({ created: now() - 299 }))).toEqual(VERIFIED);
    expect(await written(headers({ created: now() - 300 }))).toEqual(wrong('expired'));
    expect(await written(headers({ created: now() + 60 }))).toEqual(VERIFIED);
    expect(await written(headers({ created: now() + 61 }))).toEqual(wrong('created_in_future'));
    expect(await written(headers({ lifetime: 24 * hour }))).toEqual(VERIFIED);
    expect(await written(headers({ lifetime: 24 * hour + 1 }))).toEqual(wrong('lifetime_too_long'));
  });

  it.each([
    ['another authority', { authority: 'outra.example' }],
    ['another method', { method: 'GET' }],
    ['another path', { path: '/api/v1/orders' }],
    ['another agent', { member: '"https://other.example"' }],
  ])('is wrong where it was signed for %s', async (_, signing) => {
    expect(await written(headers(signing))).toEqual(wrong('signature_mismatch'));
  });

  it('takes a nonce once, from each agent and key, as long as its signature is good', async () => {
    const replayed = headers({ nonce: 'n1' });
    expect(await written(replayed)).toEqual(VERIFIED);
    expect(await written(replayed)).toEqual(wrong('nonce_used'));
    expect(await written(headers({ nonce: 'n2' }))).toEqual(VERIFIED);
    clock.advance(301_000);
    expect(await written(headers({ nonce: 'n1' }))).toEqual(VERIFIED);
  });

  it('is not from a host whose directory lacks the key, whoever else has it', async () => {
    const other = newSigner();
    published.documents.set(`https://other.example${AT}`, { keys: [other.jwk] });
    const named = { agent: 'a1="https://other.example"', member: '"https://other.example"' };
    expect(await written(headers(named, other))).toMatchObject({ outcome: 'verified', host: 'other.example' });
    // The key is known by now, under the other host.
    expect(await written(headers({}, other))).toEqual(wrong('key_unknown'));
    expect(await written(headers({ keyid: other.keyid }))).toEqual(wrong('key_unknown'));
    expect(await written(headers(named))).toEqual(wrong('key_unknown'));
  });

  it('asks again for a key that is new, once a minute', async () => {
    await written(headers());
    const next = newSigner();
    published.documents.set(`https://agent.example${AT}`, { keys: [next.jwk] });
    expect(await written(headers({}, next))).toEqual(wrong('key_unknown'));
    clock.advance(60_001);
    expect(await written(headers({}, next))).toEqual(VERIFIED);
    expect(await written(headers())).toEqual(wrong('key_unknown'));
    expect(published.fetched).toHaveLength(2);
  });

  it('counts as unsigned where its keys cannot be had, or are of another kind', async () => {
    published.documents.clear();
    expect(await written(headers())).toEqual(UNVERIFIED);
    published.documents.set(`https://agent.example${AT}`, { keys: 'none' });
    expect(await written(headers())).toEqual(UNVERIFIED);
    clock.advance(1);
    published = new Published(clock);
    webBotAuth = new WebBotAuth(new KeyDirectories(published), clock);
    published.documents.set(`https://agent.example${AT}`, { keys: [{ kty: 'RSA', kid: agent.keyid }] });
    expect(await written(headers())).toEqual(UNVERIFIED);
    expect(await written(headers({ alg: 'rsa-pss-sha512' }))).toEqual(UNVERIFIED);
  });

  it('counts as unsigned where the directory is served as something else', async () => {
    published.mediaType = 'application/json';
    expect(await written(headers())).toEqual(UNVERIFIED);
  });

  it('waits a second for its keys, and is judged by those that are there then', async () => {
    let answer = () => {};
    published.answers = new Promise((resolve) => (answer = resolve));
    const late = written(headers());
    await nextTurn();
    clock.advance(1_000);
    expect(await late).toEqual(UNVERIFIED);
    answer();
    await nextTurn();
    expect(await written(headers())).toEqual(VERIFIED);
    // The keys are there, but one is new: they stay good while its host takes its time.
    published.answers = new Promise(() => undefined);
    clock.advance(60_001);
    const unknown = written(headers({}, newSigner()));
    await nextTurn();
    clock.advance(1_000);
    expect(await unknown).toEqual(UNVERIFIED);
    expect(await written(headers())).toEqual(VERIFIED);
  });

  it('is never verified by another algorithm than the key is for', async () => {
    for (const alg of ['hmac-sha256', 'ecdsa-p256-sha256', 'none', ''])
      expect(await written(headers({ alg }))).toEqual(UNVERIFIED);
  });

  it('is not good before or after its key is', async () => {
    const at = `https://agent.example${AT}`;
    published.documents.set(at, { keys: [{ ...agent.jwk, nbf: now() + 1, exp: now() + 100 }] });
    expect(await written(headers())).toEqual(wrong('key_unknown'));
    clock.advance(1_000);
    expect(await written(headers())).toEqual(VERIFIED);
    clock.advance(99_000);
    expect(await written(headers())).toEqual(wrong('key_unknown'));
  });

  it.each([
    ['a path of its own', 'https://agent.example/keys'],
    ['a query', `https://agent.example${AT}?a`],
    ['no encryption', 'http://agent.example'],
    ['data', 'data:application/json,{}'],
    ['a name and a password', 'https://a:b@agent.example'],
    ['no address', 'agent.example'],
  ])('counts as unsigned where Signature-Agent has %s', async (_, address) => {
    const signed = headers({ agent: `a1="${address}"`, member: `"${address}"` });
    expect(await written(signed)).toEqual(UNVERIFIED);
    expect(published.fetched).toEqual([]);
  });

  it('is wrong where it does not cover who signed, or to whom', async () => {
    const signed = headers();
    const input = (text: string) => ({
      ...signed,
      'signature-input': (signed['signature-input'] ?? '').replace(text, ''),
    });
    expect(await written(input('"@authority" '))).toEqual(wrong('components_missing'));
    expect(await written(input(' "signature-agent";key="a1"'))).toEqual(wrong('components_missing'));
    expect(await written({ ...signed, 'signature-agent': 'a2="https://agent.example"' })).toEqual(UNVERIFIED);
    expect(await written({ ...signed, 'signature-agent': undefined })).toEqual(UNVERIFIED);
  });

  it.each([
    ['created', /created=\d+/, 'created="x"'],
    ['created', /created=\d+/, 'created=1.5'],
    ['expires', /;expires=\d+/, ''],
    ['keyid', /keyid="[^"]+"/, 'keyid="main"'],
    ['keyid', /;keyid="[^"]+"/, ''],
    ['nonce', /;tag=/, `;nonce=1;tag=`],
    ['nonce', /;tag=/, `;nonce="${'n'.repeat(257)}";tag=`],
  ])('is wrong with a flawed %s', async (_, part, flawed) => {
    const signed = headers();
    const input = (signed['signature-input'] ?? '').replace(part, flawed);
    expect(await written({ ...signed, 'signature-input': input })).toEqual(wrong('malformed'));
  });

  it('is wrong with half of its headers, or huge ones, which nobody reads', async () => {
    const { signature = '', 'signature-input': input = '' } = headers();
    const long = 'x'.repeat(4_097);
    expect(await written({ 'signature-input': input })).toEqual(wrong('malformed'));
    expect(await written({ 'signature-input': '(', signature })).toEqual(wrong('malformed'));
    expect(await written({ 'signature-input': input, signature, 'signature-agent': long })).toEqual(wrong('too_large'));
    const many = ['a', 'b', 'c', 'd'].map((label) => input.replace('a1=', `${label}=`)).join(', ');
    const values = ['a', 'b', 'c', 'd'].map((label) => signature.replace('a1=', `${label}=`)).join(', ');
    expect(await written({ 'signature-input': many, signature: values })).toEqual(wrong('too_large'));
  });

  it('says nothing of agents under another tag', async () => {
    expect(await written(headers({ tag: 'fediverse' }))).toBeNull();
  });

  it('is judged beside others by itself: one that is right is enough', async () => {
    const right = headers();
    const { signature = '', 'signature-input': input = '' } = headers({ created: now() - 10_000 });
    const both = {
      ...right,
      'signature-input': `${input.replace('a1=', 'old=')}, ${right['signature-input'] ?? ''}`,
      signature: `${signature.replace('a1=', 'old=')}, ${right['signature'] ?? ''}`,
    };
    expect(await written(both)).toEqual(VERIFIED);
  });

  it('of a thousand slow hosts has a few asked, so that the rest is left for others who fetch', async () => {
    published.answers = new Promise(() => undefined);
    const asked = Array.from({ length: 1_000 }, (_, host) =>
      written({ ...headers(), 'signature-agent': `a1="https://h${host}.example"` }),
    );
    await nextTurn();
    clock.advance(1_000);
    for (const outcome of await Promise.all(asked)) expect(outcome).toEqual(UNVERIFIED);
    expect(published.fetched).toHaveLength(16);
  });
});

describe('the address that a request was signed for', () => {
  const signed = (signing: Partial<Signing>) => headers({ path: '/api/v1/bookings', ...signing });

  it('is the one of ours that it was sent to', async () => {
    const urls = {
      base: 'https://api.voos.example/api/v1',
      site: 'https://voos.example',
      auth: 'https://id.voos.example',
    };
    const sent = (authority: string, host: string) => written({ ...signed({ authority }), host }, { urls });
    expect(await sent('api.voos.example', 'api.voos.example')).toEqual(VERIFIED);
    expect(await sent('voos.example', 'VOOS.example:443')).toEqual(VERIFIED);
    expect(await sent('voos.example', 'api.voos.example')).toEqual(wrong('signature_mismatch'));
    // A proxy put its own name there.
    expect(await sent('api.voos.example', 'backend:3000')).toEqual(VERIFIED);
    expect(await sent('backend:3000', 'backend:3000')).toEqual(wrong('signature_mismatch'));
  });

  it('has the path that a proxy or we took off', async () => {
    const urls = { ...baseUrlsAt('https://voos.example'), base: 'https://voos.example/alcada/api/v1' };
    const path = '/alcada/api/v1/bookings';
    expect(await written(signed({ path }), { urls, originalUrl: path })).toEqual(VERIFIED);
    expect(await written(signed({ path }), { urls })).toEqual(VERIFIED);
  });

  it('may be sent as a whole', async () => {
    const originalUrl = 'https://voos.example/api/v1/bookings';
    expect(await written(signed({}), { originalUrl })).toEqual(VERIFIED);
  });
});

describe('a signed read', () => {
  const about = { method: 'GET' };
  const read = () => webBotAuth.ofRead(request(headers(about), about));

  it('is verified by keys that are in memory, and waits for none: they are fetched behind it, once', async () => {
    expect(read()).toEqual(UNVERIFIED);
    expect(read()).toEqual(UNVERIFIED);
    expect(published.fetched).toEqual([`https://agent.example${AT}`]);
    await nextTurn();
    expect(read()).toEqual(VERIFIED);
    expect(webBotAuth.ofRead(request(headers({ method: 'HEAD' }), about))).toEqual(wrong('signature_mismatch'));
  });

  it('is only unverified by a key that its host may have published since', async () => {
    await written(headers());
    const next = headers(about, newSigner());
    expect(webBotAuth.ofRead(request(next, about))).toEqual(wrong('key_unknown'));
    clock.advance(60_001);
    expect(webBotAuth.ofRead(request(next, about))).toEqual(UNVERIFIED);
    await nextTurn();
    expect(webBotAuth.ofRead(request(next, about))).toEqual(wrong('key_unknown'));
    expect(published.fetched).toHaveLength(2);
  });

  it('of ten thousand hosts has a few asked, and none of them again meanwhile', () => {
    published.answers = new Promise(() => undefined);
    for (let host = 0; host < 10_000; host += 1) {
      const address = `"https://h${host}.example"`;
      const signed = { ...headers(about), 'signature-agent': `a1=${address}` };
      expect(webBotAuth.ofRead(request(signed, about))).toEqual(UNVERIFIED);
    }
    expect(published.fetched).toHaveLength(8);
  });

  it('may be repeated: it changes nothing', async () => {
    await written(headers());
    const signed = request(headers({ ...about, nonce: 'n1' }), about);
    expect(webBotAuth.ofRead(signed)).toEqual(VERIFIED);
    expect(webBotAuth.ofRead(signed)).toEqual(VERIFIED);
  });
});
