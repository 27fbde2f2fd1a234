import type { BaseUrls } from '#http';
import type { Parameters } from '../parameters.js';

/** The travellers' own lists, by the id that a form names them with. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['mandates', '/conta/mandatos'],
  ['orders', '/conta/pedidos'],
]);

/**
 * Where a login may lead, and nowhere else. A form names one of these kinds, as the field that holds the id: no address
 * is ever taken from a request.
 */
const DESTINATIONS = {
  /** An authorization request, on its consent page. */
  request: { path: (id: string) => `/oauth/consent/${encodeURIComponent(id)}`, at: 'auth' },
  /** A payment that waits for its holder's word (libs/account, like all that follow). */
  challenge: { path: (id: string) => `/desafios/${encodeURIComponent(id)}`, at: 'site' },
  /** The traveller's account: one of its lists, or its first page. */
  account: { path: (id: string) => LISTS.get(id) ?? '/conta', at: 'site' },
  /** An agent's spending cap, on the first page of the account. */
  agent_cap: { path: () => '/conta', at: 'site' },
  /** Revoking an agent. */
  agent_end: { path: (id: string) => `/conta/agentes/${encodeURIComponent(id)}/revogar`, at: 'site' },
  /** A mandate's statement. */
  mandate: { path: (id: string) => `/conta/mandatos/${encodeURIComponent(id)}`, at: 'site' },
  /** Revoking a mandate. */
  mandate_end: { path: (id: string) => `/conta/mandatos/${encodeURIComponent(id)}/revogar`, at: 'site' },
  /** An order, with its receipt and ticket. */
  order: { path: (id: string) => `/conta/pedidos/${encodeURIComponent(id)}`, at: 'site' },
} as const;

export interface ReturnTarget {
  readonly kind: keyof typeof DESTINATIONS;
  readonly id: string;
}

const KINDS = [
  'request',
  'challenge',
  'account',
  'agent_cap',
  'agent_end',
  'mandate',
  'mandate_end',
  'order',
] as const satisfies readonly ReturnTarget['kind'][];

/** Its path below the origin that the browser is at. */
export const pathTo = ({ kind, id }: ReturnTarget): string => DESTINATIONS[kind].path(id);

/** The host where it is; null: anywhere on the site. */
export const hostOf = (to: ReturnTarget | null, urls: BaseUrls): string =>
  new URL(urls[to ? DESTINATIONS[to.kind].at : 'site']).host;

/** What the CSRF token of a form about it is bound to; null: about no more than the session. */
export const subjectOf = (to: ReturnTarget | null): string => (to ? `${to.kind} ${to.id}` : 'session');

/** The destination that a form names, or null. @throws OAuthError `parameter_flawed` */
export const returnTargetIn = (fields: Parameters): ReturnTarget | null => {
  for (const kind of KINDS) {
    const id = fields.optional(kind);
    if (id !== undefined) return { kind, id };
  }
  return null;
};
