import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  base64,
  COSIGNATURE,
  cosignedMessage,
  encodeCosignature,
  formatVerifierKey,
  fromBase64,
  fromDecimal,
  Malformed,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  signatureLine,
  type TreeRoot,
  Unverified,
  verifierKey,
  verifyConsistency,
  verifyNote,
} from '#verifier';
import { nodeCrypto } from '../node-crypto.js';

const { sha256 } = nodeCrypto;

type Answer = readonly [status: number, text: string, type?: string];

/** A witness as C2SP tlog-witness asks for it, which remembers what it cosigned in memory, and all that it was told. */
export class TestWitness {
  /** What it cosigned last, by the origins that it knows. */
  readonly cosigned = new Map<string, TreeRoot>();
  /** The bodies of the offers, in order, with what it answered. */
  readonly offers: { readonly body: string; readonly status: number }[] = [];
  /** Where set, it answers this and does nothing. */
  answers: Answer | 'nothing' | null = null;

  private readonly pair = generateKeyPairSync('ed25519');
  private readonly server = createServer((request, response) => {
    void this.handle(request).then((answer) => {
      if (answer === 'nothing') return;
      const [status, body, type = 'text/plain'] = answer;
      response.writeHead(status, { 'content-type': type }).end(body);
    });
  });
  /** The lines of the log's keys that it trusts; the name of a key is the origin of its log. */
  trusted: readonly string[] = [];

  private constructor(readonly name: string) {}

  static async start(name: string): Promise<TestWitness> {
    const witness = new TestWitness(name);
    witness.server.listen(0, '127.0.0.1');
    await once(witness.server, 'listening');
    return witness;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/w`;
  }

  get line(): string {
    return `witness ${this.name} ${formatVerifierKey(this.key)} ${this.url}\n`;
  }

  get key() {
    const publicKey = this.pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    return verifierKey({ name: `${this.name}.example`, type: COSIGNATURE, publicKey }, sha256);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage): Promise<Answer | 'nothing'> {
    const body = await text(request);
    const answer = this.answers ?? (await this.judge(request, body));
    this.offers.push({ body, status: answer === 'nothing' ? 0 : answer[0] });
    return answer;
  }

  private async judge({ method, url }: IncomingMessage, body: string): Promise<Answer> {
    if (method !== 'POST' || url !== '/w/add-checkpoint') return [404, ''];
    try {
      return await this.addCheckpoint(body);
    } catch (error) {
      if (error instanceof Unverified) return [403, error.message];
      return [error instanceof Malformed ? 400 : 500, String(error)];
    }
  }

  private async addCheckpoint(body: string): Promise<Answer> {
    const end = body.indexOf('\n\n');
    const [old = '', ...lines] = body.slice(0, end).split('\n');
    if (end < 0 || !old.startsWith('old ') || lines.length > 63) return [400, ''];
    const older = fromDecimal(old.slice('old '.length));
    const proof = lines.map(fromBase64);
    const note = parseNote(body.slice(end + 2));
    const { origin, size, root } = parseCheckpoint(note.text);
    const keys = this.trusted.map((line) => parseVerifierKey(line, sha256)).filter(({ name }) => name === origin);
    if (keys.length === 0) return [404, ''];
    await verifyNote(note, keys, nodeCrypto);
    if (older > size) return [400, ''];
    // From here on nothing is awaited: what was cosigned last is looked at and replaced in one step.
    const last = this.cosigned.get(origin);
    if (older !== (last?.size ?? 0)) return [409, `${last?.size ?? 0}\n`, 'text/x.tlog.size'];
    const empty = { size: 0, root: sha256(new Uint8Array()) };
    if (size === 0 && base64(root) !== base64(empty.root)) return [422, ''];
    if (!verifyConsistency(sha256, last ?? empty, { size, root }, proof)) return [422, ''];
    this.cosigned.set(origin, { size, root });
    const time = BigInt(Math.floor(Date.now() / 1_000));
    const signature = sign(null, cosignedMessage(time, note.text), this.pair.privateKey);
    return [200, signatureLine({ ...this.key, signature: encodeCosignature(time, signature) })];
  }
}
