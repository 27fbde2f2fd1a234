import type { Ports } from '#runtime';

/** A store that its borrower cannot close. */
const lent = <Store extends { readonly close: () => Promise<void> }>(store: Store): Store =>
  new Proxy(store, {
    get: (target, name) => {
      if (name === 'close') return () => Promise.resolve();
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });

/** The same stores for one more logical process, which cannot close them. */
export const lentPorts = (ports: Ports): Ports => ({
  ...ports,
  events: lent(ports.events),
  documents: lent(ports.documents),
  readModelStore: lent(ports.readModelStore),
});
