import { editsBetween } from '#kernel';
import { variables } from './variables.js';

const KNOWN = Object.keys(variables.shape);
/** What only our own variables begin with. Others are shared: Kubernetes and the servers have some of MONGODB_ and EVENTSTORE_. */
const OURS = /^(?:IDEMPOTENCY|KEY_ENCRYPTION|LIMIT|PILOT|TLOG)_/;
/** Names of fewer letters are near too many others: HOME is not HOST. */
const SHORTEST = 6;

/** A warning that names variables which are not known, but nearly are, and those that are meant; never a value. null: there are none. */
export const nearMisses = (environment: Readonly<Record<string, string | undefined>> = process.env): string | null => {
  const found = Object.keys(environment).flatMap((given) => {
    const meant = /^\w+$/.test(given) && !KNOWN.includes(given) ? meantBy(given.toUpperCase()) : null;
    return meant === null ? [] : [`${given} (is ${meant} meant?)`];
  });
  return found.length === 0 ? null : `alcada ignores what it does not know: ${found.sort().join(', ')}`;
};

const meantBy = (given: string): string | null => {
  const prefix = OURS.exec(given)?.[0];
  const near = KNOWN.filter((name) => (prefix === undefined ? isNear(given, name) : name.startsWith(prefix)));
  return near.sort((one, other) => editsBetween(given, one) - editsBetween(given, other))[0] ?? null;
};

/** Whether two letters differ, as in MONGO_URL, or one of a short name. */
const isNear = (given: string, name: string): boolean => {
  const allowed = name.length < 9 ? 1 : 2;
  const mayBe = name.length >= SHORTEST && Math.abs(given.length - name.length) <= allowed;
  return mayBe && editsBetween(given, name) <= allowed;
};
