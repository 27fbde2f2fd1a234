import type { z } from 'zod';
import { InvalidConfig } from './invalid-config.js';
import type { variables } from './variables.js';

/** The servers of the distributed way (design.md §1). Their addresses may hold credentials: show them `masked`. */
export interface Servers {
  readonly eventStore: {
    readonly url: string;
    /** What the names of streams begin with, so that several systems can share a server; null: nothing. */
    readonly namespace: string | null;
  };
  readonly mongodb: { readonly url: string; readonly database: string };
}

const DEFAULT_DATABASE = 'alcada';

/** Both servers or neither. @throws InvalidConfig naming the variable that is missing */
export const serversOf = (data: z.infer<typeof variables>): Servers | null => {
  const { EVENTSTORE_URL, EVENTSTORE_NAMESPACE, MONGODB_URL, MONGODB_DATABASE } = data;
  if (!EVENTSTORE_URL && !MONGODB_URL) return null;
  if (!EVENTSTORE_URL) throw new InvalidConfig('EVENTSTORE_URL: required beside MONGODB_URL; or set neither');
  if (!MONGODB_URL) throw new InvalidConfig('MONGODB_URL: required beside EVENTSTORE_URL; or set neither');
  return {
    eventStore: { url: EVENTSTORE_URL, namespace: EVENTSTORE_NAMESPACE ?? null },
    mongodb: { url: MONGODB_URL, database: MONGODB_DATABASE ?? databaseIn(MONGODB_URL) ?? DEFAULT_DATABASE },
  };
};

/** The database that an address names. */
const databaseIn = (url: string): string | undefined => /^[^/]+\/\/[^/]+\/([\w-]+)/.exec(url)?.[1];

/** Who logs in at a server, and what else of an address is nobody's business. */
const SECRET_PARTS = [
  [/(:\/\/)(?!\/)\S*@/g, '$1***@'],
  [/((?:password|secret|token|key)\w*[=:])[^&\s,]+/gi, '$1***'],
] as const;

/** A text in which every address of a server is without credentials. */
export const masked = (text: string): string =>
  SECRET_PARTS.reduce((left, [secret, shown]) => left.replace(secret, shown), text);
