import { verify } from 'node:crypto';
import { type RequestSignature, RequestSignatures, type SignedRequest } from '#http';
import { type Clock, millisecondsOf, within, upTo } from '#kernel';
import { LRUCache } from 'lru-cache';
import { type AgentClaim, claimOf, type Fault, isAgents } from './agent-claim.js';
import type { Directory, KeyDirectories } from './key-directories.js';
import { headerOf, type Signature, signatureBaseOf, type SignedMessage, signaturesOf } from './message-signatures.js';
import { messageOf } from './signed-message.js';

const HEADERS = ['signature-input', 'signature', 'signature-agent'];
/** Characters of each of them: three signatures with room to spare. */
const LONGEST = 4_096;
/** Signatures of agents that one request may have. Each costs a verification. */
const MOST = 3;
/** Nonces remembered, about 4 MB. Beyond these the oldest is forgotten, be it ever so long-lived. */
const NONCES = 20_000;
/** Milliseconds that a write waits for keys. */
const WAIT = 1_000;
/** Milliseconds after which a directory that lacks a key is asked again: the key may be new. */
const ASK_AGAIN = 60_000;

const UNVERIFIED = { outcome: 'unverified' } as const;
const wrong = (reason: Fault): RequestSignature => ({ outcome: 'wrong', reason });

/** A signature whose own words are in order, with the bytes that it signs. */
interface Candidate {
  readonly claim: AgentClaim;
  readonly base: Buffer;
  readonly bytes: Uint8Array;
}

/** What a request's signatures come to before any key is looked at. */
type Reading = RequestSignature | Candidate;

/** Knows agents by signatures whose keys their hosts publish (RFC 9421, Web Bot Auth); it does not say what they may do. */
export class WebBotAuth extends RequestSignatures {
  private readonly nonces = new LRUCache<string, number>(upTo(NONCES));

  constructor(
    private readonly directories: KeyDirectories,
    private readonly clock: Clock,
  ) {
    super();
  }

  override ofRead(request: SignedRequest): RequestSignature | null {
    const readings = this.readingsOf(request);
    return readings && outcomeOf(readings.map((one) => this.readOne(one)));
  }

  override async ofWrite(request: SignedRequest): Promise<RequestSignature | null> {
    const readings = this.readingsOf(request);
    return readings && outcomeOf(await Promise.all(readings.map((one) => this.writeOne(one))));
  }

  /** null: no signature of the request is one by which an agent says who it is. */
  private readingsOf(request: SignedRequest): readonly Reading[] | null {
    const message = messageOf(request);
    if (HEADERS.some((name) => (headerOf(message, name)?.length ?? 0) > LONGEST)) return [wrong('too_large')];
    const signatures = signaturesOf(message);
    if (!signatures) return [wrong('malformed')];
    const ofAgents = signatures.filter(isAgents);
    if (ofAgents.length === 0) return null;
    if (ofAgents.length > MOST) return [wrong('too_large')];
    return ofAgents.map((signature) => readingOf(signature, message, this.seconds()));
  }

  private readOne(reading: Reading): RequestSignature {
    if ('outcome' in reading) return reading;
    const { directory: url } = reading.claim;
    const directory = this.directories.kept(url);
    if (!directory) this.directories.ask(url);
    else if (this.mayBeNew(reading.claim, directory)) this.directories.ask(url, ASK_AGAIN);
    return directory ? this.judge(reading, directory) : UNVERIFIED;
  }

  private async writeOne(reading: Reading): Promise<RequestSignature> {
    if ('outcome' in reading) return reading;
    const { claim } = reading;
    const kept = this.directories.kept(claim.directory);
    const isEnough = kept !== null && !this.mayBeNew(claim, kept);
    const directory = isEnough ? kept : await within(this.clock, WAIT, this.fetched(claim, kept), () => kept);
    const judged = directory ? this.judge(reading, directory) : UNVERIFIED;
    return judged.outcome === 'verified' && this.isUsed(claim) ? wrong('nonce_used') : judged;
  }

  private async fetched(claim: AgentClaim, kept: Directory | null): Promise<Directory | null> {
    return (await this.directories.get(claim.directory, kept ? ASK_AGAIN : undefined)) ?? kept;
  }

  /** Whether a directory lacks the key, and was fetched so long ago that its host may have added it since. */
  private mayBeNew({ keyid }: AgentClaim, { keys, fetchedAt }: Directory): boolean {
    return !keys.has(keyid) && millisecondsOf(this.clock.now()) - fetchedAt > ASK_AGAIN;
  }

  private judge({ claim, base, bytes }: Candidate, directory: Directory): RequestSignature {
    const { host, keyid, coversRequest } = claim;
    const found = directory.keys.get(keyid);
    const now = this.seconds();
    if (this.mayBeNew(claim, directory)) return UNVERIFIED;
    if (!found || found.notBefore > now || found.expires <= now) return wrong('key_unknown');
    if (!found.key) return UNVERIFIED;
    const isRight = bytes.length === 64 && verify(null, base, found.key, bytes);
    return isRight ? { outcome: 'verified', host, coversRequest } : wrong('signature_mismatch');
  }

  /** Whether the nonce of a signature was used before; from now on it is. */
  private isUsed({ host, keyid, nonce, expires }: AgentClaim): boolean {
    if (nonce === null) return false;
    const key = JSON.stringify([host, keyid, nonce]);
    const until = this.nonces.get(key);
    if (until !== undefined && until > this.seconds()) return true;
    this.nonces.set(key, expires);
    return false;
  }

  private seconds(): number {
    return Math.floor(millisecondsOf(this.clock.now()) / 1_000);
  }
}

const readingOf = (signature: Signature, message: SignedMessage, now: number): Reading => {
  const claim = claimOf(signature, message, now);
  if (claim === null) return UNVERIFIED;
  if (typeof claim === 'string') return wrong(claim);
  const base = signatureBaseOf(signature, message);
  if (base === 'missing') return wrong('components_missing');
  if (base === 'unsupported') return UNVERIFIED;
  return { claim, base, bytes: signature.bytes };
};

/** Of several signatures one that is right is enough: a proxy may have broken an inner one and signed again (draft). */
const outcomeOf = (outcomes: readonly RequestSignature[]): RequestSignature =>
  outcomes.find(({ outcome }) => outcome === 'verified') ??
  outcomes.find(({ outcome }) => outcome === 'wrong') ??
  UNVERIFIED;
