import { decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { Ap2Error, mismatch } from './ap2-error.js';
import {
  type Claims,
  digestOf,
  type Disclosed,
  publicKey,
  type PublicKey,
  readSdJwt,
  type SdJwt,
  verifiedClaims,
  verifiedJson,
} from './sd-jwt.js';

/** The owner of the key that may sign a mandate's root: a traveller, or a platform that the traveller linked. */
export interface Signer {
  readonly holder: string;
  /** The profile of the platform that speaks for the traveller; null: the traveller's own key. */
  readonly platform: string | null;
  readonly key: PublicKey;
}

export interface Verifying {
  /** Whether the platform that asks publishes a key: without one, nothing that it presents is looked at. */
  readonly hasPlatformKey: boolean;
  /** The key of this id; null: nobody's that may sign here. */
  readonly signerOf: (kid: string) => Promise<Signer | null>;
  /** By what names `aud` may call who verifies. */
  readonly audiences: readonly string[];
  /** What was answered for this checkout to be said again. */
  readonly nonce: string;
  readonly now: Date;
}

/** A chain of mandates, verified (AP2 0.2, Agent Authorization, Verification and Processing Rules). What they say is not looked at yet. */
export interface MandateChain {
  readonly signer: Signer;
  /** From the traveller's on; empty where the traveller, or who speaks for them, signed the closed one. */
  readonly open: readonly OpenHop[];
  readonly closed: Claims;
  /** The hash algorithm of the closed one. */
  readonly algorithm: SdJwt['algorithm'];
  /** By what receipts name the closed one: the hash of its JWT alone, as the Python SDK of AP2 0.2 has it and its text has not. */
  readonly reference: string;
  /** By what it is redeemed once: other disclosures or another signature of the same leave it as it is. */
  readonly redemption: string;
  /** Milliseconds since 1970: when the first was signed, and until when all of them hold; null: they do not say. */
  readonly issuedAt: number | null;
  readonly endsAt: number | null;
}

export interface OpenHop {
  readonly content: Claims;
  /** By which a payment mandate names a checkout mandate: with what is disclosed, or without. */
  readonly digests: readonly string[];
  /** By what it is the same one whatever of it is disclosed, and another than what was signed with it. */
  readonly id: string;
}

/** The longest chain, in characters and in mandates. */
const LONGEST = 65_536;
const MOST_HOPS = 5;

/** How much later another clock may be, in seconds: that of the reference implementation. */
const CLOCK_SKEW = 300;

const TERMINAL = ['kb+sd-jwt', 'kb-sd-jwt'];
const INTERMEDIATE = ['kb+sd-jwt+kb', 'kb-sd-jwt+kb'];

/** In these alone something may stay undisclosed: elsewhere it could be what restricts. */
const MAY_HIDE = ['allowed', 'acceptable_items', 'delegate_payload'];

const confirmation = z.object({ jwk: publicKey });

interface Hop {
  readonly token: SdJwt;
  /** What the token says of itself, and the mandate in it. */
  readonly claims: Claims;
  readonly content: Claims;
  readonly mandate: Disclosed['mandate'];
}

/** Whatever fails in it is a mandate that cannot be verified, unless it says something else. */
const invalidUnlessNamed = async <T>(verified: () => T | Promise<T>): Promise<T> => {
  try {
    return await verified();
  } catch (cause) {
    if (cause instanceof Ap2Error) throw cause;
    throw new Ap2Error('mandate_invalid_signature', '', { cause });
  }
};

/** Verifies every mandate of a chain, how each is bound to the one before, for whom it is, and when. @throws Ap2Error */
export const verifyChain = async (text: string, verifying: Verifying): Promise<MandateChain> => {
  if (!verifying.hasPlatformKey) throw new Ap2Error('agent_missing_key');
  const tokens = await invalidUnlessNamed(() => tokensOf(text));
  // Whatever becomes of this question is no matter of the mandate.
  const signer = await verifying.signerOf(tokens[0].header.kid ?? '');
  if (!signer) throw new Ap2Error('agent_missing_key');
  return invalidUnlessNamed(() => verifiedChain(tokens, signer, verifying));
};

/** By what a receipt names the mandate in a text, be it right or wrong; null: it is none. */
export const referenceOf = (text: string): string | null => {
  try {
    const last = tokensOf(text).at(-1);
    return last ? referenceTo(last) : null;
  } catch {
    return null;
  }
};

const verifiedChain = async ([root, ...rest]: Tokens, signer: Signer, verifying: Verifying): Promise<MandateChain> => {
  const hops = [hopOf(root, await verifiedClaims(root, signer.key))];
  for (const token of rest) hops.push(await boundHop(token, hops.at(-1), token === rest.at(-1)));
  const last = hops.at(-1);
  if (!last) throw new Error('no mandate');

  const binding = rest.length ? last.claims : await keyBinding(last);
  for (const { claims, content } of hops) [claims, content].forEach((each) => requireTime(each, verifying.now));
  requireTime(binding, verifying.now);
  requireAddressed(binding, verifying);
  return {
    signer,
    open: hops.slice(0, -1).map(openHop),
    closed: last.content,
    algorithm: last.token.algorithm,
    reference: referenceTo(last.token),
    redemption: digestOf(signedPart(last.token), 'sha-256'),
    issuedAt: issueOf(hops),
    endsAt: endOf(hops),
  };
};

const referenceTo = ({ jwt, algorithm }: SdJwt) => digestOf(jwt, algorithm);

/** The signature of an ECDSA key is not the only one that its message can have: what is signed names the mandate. */
const signedPart = ({ jwt }: SdJwt) => jwt.slice(0, jwt.lastIndexOf('.'));

const openHop = ({ token, content, mandate = '' }: Hop): OpenHop => ({
  content,
  digests: [digestOf(token.compact, token.algorithm), digestOf(token.jwt, token.algorithm)],
  id: digestOf(`${signedPart(token)} ${mandate}`, 'sha-256'),
});

type Tokens = readonly [root: SdJwt, ...rest: readonly SdJwt[]];

/** The SD-JWTs of a chain: between two of them stands `~~`, which is the end of the one, and a separator. */
const tokensOf = (text: string): Tokens => {
  if (text.length > LONGEST) throw new Error('too long');
  const parts = text.split('~~');
  if (parts.length > MOST_HOPS) throw new Error('too many mandates');
  const [root, ...rest] = parts.map((part, at) => readSdJwt(at < parts.length - 1 ? `${part}~` : part));
  if (!root || root.header.typ?.startsWith('kb')) throw new Error('no mandate that begins a chain');
  if (rest.length && [root, ...rest].some(({ kbJwt }) => kbJwt !== null)) throw new Error('a key bound twice');
  return [root, ...rest];
};

const hopOf = (token: SdJwt, { claims, hidden, mandate }: Disclosed): Hop => {
  if (hidden.some((name) => !MAY_HIDE.includes(name)))
    throw mismatch('Parte dele que poderia restringi-lo está oculta.');
  const delegated = claims['delegate_payload'];
  if (delegated === undefined) return { token, claims, content: claims, mandate };
  const [content, ...others] = z.array(z.record(z.string(), z.unknown())).parse(delegated);
  if (!content || others.length) throw new Error('not one mandate');
  return { token, claims, content, mandate };
};

const keyOf = ({ claims, content }: Hop): PublicKey => confirmation.parse(content['cnf'] ?? claims['cnf']).jwk;

/** A mandate that the key signed which the one before names, and that is of the one before (draft-gco-oauth-delegate-sd-jwt §5.1.4). */
const boundHop = async (token: SdJwt, before: Hop | undefined, isLast: boolean): Promise<Hop> => {
  if (!before || !(isLast ? TERMINAL : INTERMEDIATE).includes(token.header.typ ?? '')) throw new Error('no such type');
  const hop = hopOf(token, await verifiedClaims(token, keyOf(before)));
  const { sd_hash: whole, issuer_jwt_hash: issued } = hop.claims;
  if ((whole === undefined) === (issued === undefined)) throw new Error('not bound once');
  const { compact, jwt, algorithm } = before.token;
  if ((whole ?? issued) !== digestOf(whole === undefined ? jwt : compact, algorithm))
    throw new Error('bound to another mandate');
  if (isLast && (hop.content['cnf'] !== undefined || hop.claims['cnf'] !== undefined))
    throw new Error('a closed mandate for somebody else to close');
  return hop;
};

/** What the key says that a mandate names which stands alone (RFC 9901 §7.3). */
const keyBinding = async (hop: Hop): Promise<Claims> => {
  const { kbJwt, compact, algorithm } = hop.token;
  if (kbJwt === null) throw new Error('no key binding');
  const binding = await verifiedJson(kbJwt, keyOf(hop));
  const { typ } = decodeProtectedHeader(kbJwt);
  if (typ !== 'kb+jwt' || binding['sd_hash'] !== digestOf(compact, algorithm)) throw new Error('another mandate');
  return binding;
};

const seconds = z.number().optional();
const times = z.object({ iat: seconds, nbf: seconds, exp: seconds });

const requireTime = (claims: Claims, now: Date): void => {
  const { iat = 0, nbf = 0, exp = Infinity } = times.parse(claims);
  const second = now.getTime() / 1_000;
  if (exp <= second) throw new Ap2Error('mandate_expired');
  if (Math.max(iat, nbf) > second + CLOCK_SKEW) throw new Error('not yet in force');
  // A list that says whether it was taken back is nothing that is fetched here.
  if (claims['status'] !== undefined) throw mismatch('O estado dele não pode ser consultado.');
};

const addressed = z.object({ aud: z.string(), nonce: z.string(), iat: z.number() });

const requireAddressed = (binding: Claims, { audiences, nonce }: Verifying): void => {
  const said = addressed.parse(binding);
  if (!audiences.includes(said.aud)) throw mismatch('Ele é destinado a outra loja (aud).');
  if (said.nonce !== nonce) throw mismatch('O nonce não é o desta compra.');
};

const timesOf = (hops: readonly Hop[]) =>
  hops.flatMap(({ claims, content }) => [times.parse(claims), times.parse(content)]);

const earliest = (seconds: readonly number[]) => (seconds.length ? Math.min(...seconds) * 1_000 : null);

const endOf = (hops: readonly Hop[]) => earliest(timesOf(hops).flatMap(({ exp }) => exp ?? []));

const issueOf = (hops: readonly Hop[]) => earliest(timesOf(hops.slice(0, 1)).flatMap(({ iat }) => iat ?? []));
