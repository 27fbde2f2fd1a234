import { overriding } from '#kernel';
import type { Ports } from '#runtime';

/** A store that its borrower cannot close. */
export const lent = <Store extends { close: () => Promise<void> }>(store: Store): Store =>
  overriding<{ close: () => Promise<void> }>(store, { close: () => Promise.resolve() }) as Store;

/** The same stores for one more logical process, which cannot close them. */
export const lentPorts = (ports: Ports): Ports => ({
  ...ports,
  events: lent(ports.events),
  documents: lent(ports.documents),
  readModelStore: lent(ports.readModelStore),
});
