import type { ReadModelStore } from '#documents';
import type { Intercept } from '../support/intercept.js';

/** What of a store is asked over a line; the rest belongs to its start and its end. */
const CALLS: readonly string[] = [
  'insert',
  'get',
  'replace',
  'delete',
  'find',
  'scan',
  'count',
  'deleteExpired',
  'getGuarded',
  'putGuarded',
  'clear',
];

/** A store at the other end of a line. Calls: `find mandates-v1-1`, and so the others. */
export const lined = (store: ReadModelStore, line: Intercept): ReadModelStore =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (typeof name !== 'string' || !CALLS.includes(name)) return member.bind(target) as unknown;
      return (...args: readonly unknown[]) => {
        const [collection] = args;
        const call = `${name} ${typeof collection === 'string' ? collection : 'all'}`;
        return line(call, () => Reflect.apply(member, target, args) as Promise<unknown>);
      };
    },
  });
