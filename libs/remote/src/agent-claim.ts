import { dictionaryIn, headerOf, type Item, type Signature, type SignedMessage } from './message-signatures.js';

/** Where a host publishes the keys of its agents (draft-ietf-webbotauth-httpsig-protocol-01, IANA Considerations). */
export const DIRECTORY = '/.well-known/http-message-signatures-directory';

/** Signatures of other kinds say nothing of agents. */
const TAG = 'web-bot-auth';
/** A thumbprint of a JWK (RFC 7638): 32 bytes in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/;
/** How many seconds a signer's clock may be ahead of ours. */
const AHEAD = 60;
/** How many seconds a signature may be good for: what the draft recommends at most. */
const LONGEST = 86_400;
const LONGEST_NONCE = 256;
const MOST_COMPONENTS = 32;

/** Why a signature is wrong, as the answer to a refused write names it. */
export type Fault =
  | 'malformed'
  | 'too_large'
  | 'components_missing'
  | 'expired'
  | 'created_in_future'
  | 'lifetime_too_long'
  | 'key_unknown'
  | 'signature_mismatch'
  | 'nonce_used';

/** What a signature says, before anything of it is known to be true. */
export interface AgentClaim {
  /** The host that it says it is an agent of: that of `Signature-Agent`, with its port where that is not the scheme's own. */
  readonly host: string;
  readonly directory: string;
  readonly keyid: string;
  /** In seconds since 1970. */
  readonly expires: number;
  readonly nonce: string | null;
  /** Whether it is made for one request alone: this method, path and body, once, rather than for any to this authority. */
  readonly coversRequest: boolean;
}

export const isAgents = ({ parameters }: Signature): boolean => parameters.get('tag') === TAG;

/** What a signature claims; why it is wrong; or null where nothing can be verified here. `now`: seconds since 1970. */
export const claimOf = (signature: Signature, message: SignedMessage, now: number): AgentClaim | Fault | null => {
  const { parameters, covered } = signature;
  const { created, expires, keyid, alg, nonce } = Object.fromEntries(parameters) as Partial<Record<string, unknown>>;
  if (!isSecond(created) || !isSecond(expires) || typeof keyid !== 'string' || !THUMBPRINT.test(keyid))
    return 'malformed';
  if (nonce !== undefined && (typeof nonce !== 'string' || nonce.length > LONGEST_NONCE)) return 'malformed';
  if (covered.length > MOST_COMPONENTS) return 'too_large';
  if (created > now + AHEAD) return 'created_in_future';
  if (expires <= now) return 'expired';
  if (expires - created > LONGEST) return 'lifetime_too_long';
  if (alg !== undefined && alg !== 'ed25519') return null;

  const covers = (name: string): boolean => covered.some(([one, its]) => one === name && its.size === 0);
  const isWhole = covers('@target-uri');
  if (!isWhole && !covers('@authority')) return 'components_missing';
  const sent = headerOf(message, 'signature-agent');
  if (sent === undefined) return null;
  const agents = covered.filter(([name]) => name === 'signature-agent');
  if (agents.length === 0) return 'components_missing';
  const directory = directoryNamed(agentCovered(agents, signature.label, sent));
  if (!directory) return null;
  return {
    host: directory.host,
    directory: directory.href,
    keyid,
    expires,
    nonce: nonce ?? null,
    coversRequest:
      nonce !== undefined &&
      nonce !== '' &&
      covers('@method') &&
      (isWhole || covers('@path') || covers('@request-target')) &&
      covers('content-digest'),
  };
};

const isSecond = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

/** The `Signature-Agent` that a signature covers, under a label of a proxy too; earlier drafts sent a bare text. */
const agentCovered = (covered: readonly Item[], label: string, sent: string): string | null => {
  if (covered.some(([, parameters]) => !parameters.has('key'))) {
    if (sent.startsWith('"')) return /^"([\x20-\x21\x23-\x5b\x5d-\x7e]*)"$/.exec(sent)?.[1] ?? null;
    const members = [...(dictionaryIn(sent) ?? [])];
    return members.length === 1 ? textOf(members[0]?.[1]) : null;
  }
  const keys = covered.map(([, parameters]) => parameters.get('key'));
  const key = keys.length === 1 ? keys[0] : keys.find((one) => one === label);
  return typeof key === 'string' ? textOf(dictionaryIn(sent)?.get(key)) : null;
};

/** A String without parameters: a member that carries some is to be ignored. */
const textOf = (member: readonly [unknown, ReadonlyMap<string, unknown>] | undefined): string | null =>
  member && typeof member[0] === 'string' && member[1].size === 0 ? member[0] : null;

/** The key directory of an agent's host. Another address may be anybody's (draft, Binding a Key to a Web Origin). */
const directoryNamed = (agent: string | null): URL | null => {
  const url = agent !== null && URL.canParse(agent) ? new URL(agent) : null;
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '' || url.search !== '') return null;
  if (url.protocol !== 'https:') return null;
  return url.pathname === '/' || url.pathname === DIRECTORY ? new URL(DIRECTORY, url.origin) : null;
};
