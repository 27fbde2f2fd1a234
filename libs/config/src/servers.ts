import { InvalidConfig, type Variables } from './variables.js';

/** The servers of a distributed deployment. Their addresses may hold credentials: show them `masked`. */
export type Servers = NonNullable<ReturnType<typeof serversOf>>;

const DEFAULT_DATABASE = 'alcada';

/** Both servers or neither. @throws InvalidConfig naming the variable that is missing */
export const serversOf = (data: Variables) => {
  const { EVENTSTORE_URL, EVENTSTORE_NAMESPACE, MONGODB_URL, MONGODB_DATABASE } = data;
  if (!EVENTSTORE_URL && !MONGODB_URL) return null;
  if (!EVENTSTORE_URL) throw new InvalidConfig('EVENTSTORE_URL: required beside MONGODB_URL; or set neither');
  if (!MONGODB_URL) throw new InvalidConfig('MONGODB_URL: required beside EVENTSTORE_URL; or set neither');
  return {
    /** `namespace`: prefix of the names of streams, so that several systems can share a server; null: none. */
    eventStore: { url: EVENTSTORE_URL, namespace: EVENTSTORE_NAMESPACE ?? null },
    mongodb: { url: MONGODB_URL, database: MONGODB_DATABASE ?? databaseIn(MONGODB_URL) ?? DEFAULT_DATABASE },
  };
};

/** The database that the address names. */
const databaseIn = (url: string): string | undefined => /^[^/]+\/\/[^/]+\/([\w-]+)/.exec(url)?.[1];

/** Credentials and keys in the address of a server. */
const SECRET_PARTS = [
  [/(:\/\/)(?!\/)\S*@/g, '$1***@'],
  [/((?:password|secret|token|key)\w*[=:])[^&\s,]+/gi, '$1***'],
] as const;

/** `text` with the credentials of every address replaced by `***`. */
export const masked = (text: string): string =>
  SECRET_PARTS.reduce((left, [secret, shown]) => left.replace(secret, shown), text);
