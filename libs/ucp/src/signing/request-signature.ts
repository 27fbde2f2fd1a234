import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  dictionaryIn,
  headerOf,
  isAgents,
  messageOf,
  type Signature,
  signatureBaseOf,
  signaturesOf,
  type SignedMessage,
} from '#remote';
import type { PlatformKey } from '../asking.js';
import { signatureMissing, UcpError } from '../ucp-error.js';

/** A signature of a platform whose own words are in order. By which key it is right is not known yet. */
export interface RequestSignature {
  readonly keyid: string;
  readonly base: Buffer;
  readonly bytes: Uint8Array;
  /** Parameter of the signature; undefined: the key says it. */
  readonly alg: unknown;
}

const HEADERS = ['signature-input', 'signature'];
/** Characters of each, and components of a signature. */
const [LONGEST, MOST] = [4_096, 32];
/** How many seconds a signer's clock may be ahead. */
const AHEAD = 60;

const refused = (status: number, code: string, content: string) => new UcpError(status, code, content);
const invalid = (content: string) => refused(401, 'signature_invalid', content);

/**
 * The signature by which a platform signs a request, and this very request alone (UCP, REST Request Signing); null: there is none.
 * @param now seconds since 1970. @param needsKey whether it has to have an `Idempotency-Key`. @throws UcpError
 */
export const signatureIn = (request: FastifyRequest, now: number, needsKey: boolean): RequestSignature | null => {
  const message = messageOf(request);
  const [input, value] = HEADERS.map((name) => headerOf(message, name));
  if (input === undefined && value === undefined) return null;
  if (input === undefined) throw signatureMissing('Signature-Input');
  if (value === undefined) throw signatureMissing('Signature');
  const signature = theOneIn(message, [input, value]);
  if (signature === null) return null;
  const { keyid, alg, created, expires } = Object.fromEntries(signature.parameters) as Partial<Record<string, unknown>>;
  if (typeof keyid !== 'string') throw invalid('A assinatura não diz de que chave é (keyid).');
  if (!isTimely(created, (at) => at <= now + AHEAD) || !isTimely(expires, (at) => at > now))
    throw invalid('A assinatura venceu ou vem do futuro.');
  requireComponents(signature, message, bodyOf(request), needsKey);
  const base = signatureBaseOf(signature, message);
  if (typeof base === 'string')
    throw invalid('A assinatura cobre algo que a requisição não tem ou que não se lê aqui.');
  return { keyid, alg, base, bytes: signature.bytes };
};

/** Signatures that say whose agent it is are of another protocol. @throws UcpError where there are several of this one */
const theOneIn = (message: SignedMessage, headers: readonly string[]): Signature | null => {
  const all = headers.some(({ length }) => length > LONGEST) ? null : signaturesOf(message);
  const [signature, ...more] = (all ?? []).filter((one) => !isAgents(one));
  if (!all || more.length > 0 || (signature && signature.covered.length > MOST))
    throw invalid('Signature-Input e Signature devem ter uma assinatura, bem formada.');
  return signature ?? null;
};

const isTimely = (time: unknown, isGood: (seconds: number) => boolean): boolean =>
  time === undefined || (typeof time === 'number' && isGood(time));

/** The JSON of a request, as it was sent; null: it has none. */
const bodyOf = ({ body, bodyAsSent }: FastifyRequest): string | null => {
  if (bodyAsSent === null && body !== undefined && body !== null)
    throw new Error('a route that looks at signatures has to keep what is sent there');
  return bodyAsSent === '' ? null : bodyAsSent;
};

/** @throws UcpError where something that changes what a request means is not covered, or another body than this one is */
const requireComponents = (
  { covered }: Signature,
  message: SignedMessage,
  body: string | null,
  needsKey: boolean,
): void => {
  const covers = (name: string): boolean => covered.some(([one, its]) => one === name && its.size === 0);
  const has = (name: string): boolean => headerOf(message, name) !== undefined;
  const required = [
    ...['@method', '@authority', '@path'],
    ...(message.target.includes('?') ? ['@query'] : []),
    ...(has('ucp-agent') ? ['ucp-agent'] : []),
    ...(needsKey || has('idempotency-key') ? ['idempotency-key'] : []),
    ...(body === null ? [] : ['content-digest', 'content-type']),
  ];
  const lacking = required.filter((name) => !name.startsWith('@') && !has(name));
  if (lacking.length > 0) throw signatureMissing(lacking.join(', '));
  const uncovered = required.filter((name) => !covers(name));
  if (uncovered.length > 0) throw invalid(`A assinatura não cobre ${uncovered.join(', ')}.`);
  if ((body !== null || has('content-digest')) && !isDigestOf(headerOf(message, 'content-digest'), body ?? ''))
    throw refused(400, 'digest_mismatch', 'O corpo recebido não é o de Content-Digest (sha-256).');
};

/** Whether the `sha-256` of a `Content-Digest` (RFC 9530 §2) is that of a body. */
const isDigestOf = (header: string | undefined, body: string): boolean => {
  const [digest] = dictionaryIn(header ?? '')?.get('sha-256') ?? [];
  const ours = createHash('sha256').update(body).digest();
  return (
    digest instanceof ArrayBuffer && digest.byteLength === ours.length && timingSafeEqual(Buffer.from(digest), ours)
  );
};

/** @throws UcpError `key_not_found`, `algorithm_unsupported`, `signature_invalid` */
export const requireRight = (signature: RequestSignature, keys: readonly PlatformKey[]): void => {
  const key = keyNamed(signature.keyid, keys);
  if (!key) throw refused(401, 'key_not_found', 'A chave da assinatura não está no perfil da plataforma.');
  const verdict = judge(key, signature);
  if (verdict === 'unsupported')
    throw refused(400, 'algorithm_unsupported', 'Só se verificam aqui assinaturas ES256 e ES384.');
  if (verdict === 'wrong') throw invalid('A assinatura da requisição não confere.');
};

/** The key of this name that is for signing; undefined: there is none. */
export const keyNamed = (keyid: string, keys: readonly PlatformKey[]): PlatformKey | undefined =>
  keys.find(({ kid, use }) => kid === keyid && (use === undefined || use === 'sig'));

/** A curve: its hash, how long (bytes) a raw signature of it is, and its name where a signature says one (RFC 9421 §3.3). */
interface Curve {
  readonly hash: string;
  readonly length: number;
  readonly alg: string;
}

const CURVES: ReadonlyMap<unknown, Curve> = new Map([
  ['P-256', { hash: 'sha256', length: 64, alg: 'ecdsa-p256-sha256' }],
  ['P-384', { hash: 'sha384', length: 96, alg: 'ecdsa-p384-sha384' }],
]);

const opened = new WeakMap<PlatformKey, KeyObject | null>();

/** Judges an ECDSA signature of fixed width (UCP, Message Signatures, Signature Encoding) by a key, where it is of an algorithm that is verified here. */
const judge = (key: PlatformKey, { base, bytes, alg }: RequestSignature): 'right' | 'wrong' | 'unsupported' => {
  const curve = key.kty === 'EC' ? CURVES.get(key.crv) : undefined;
  if (!curve || (alg !== undefined && alg !== curve.alg)) return 'unsupported';
  const publicKey = opened.has(key) ? opened.get(key) : opened.set(key, open(key)).get(key);
  const isRight =
    publicKey && bytes.length === curve.length
      ? verify(curve.hash, base, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)
      : false;
  return isRight ? 'right' : 'wrong';
};

/** null: it is no point of its curve. */
const open = ({ kty, crv, x, y }: PlatformKey): KeyObject | null => {
  try {
    return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
  } catch {
    return null;
  }
};
