import type { Delegation } from './delegation.state.js';

/** What the ids of agents begin with that nobody registered: known by their metadata document, or registered by themselves. */
const OF_STRANGERS = { metadata: 'cimd-', dynamic: 'dcr-' } as const;

/** The id of such an agent. */
export const strangerId = (registration: keyof typeof OF_STRANGERS, rest: string): string =>
  `${OF_STRANGERS[registration]}${rest}`;

export const isStrangerId = (clientId: string): boolean =>
  Object.values(OF_STRANGERS).some((prefix) => clientId.startsWith(prefix));

/** Whether the agent asks for each mandate: where its traveller said so, or nobody registered it and it has no cap (rule 31). */
export const mustAsk = (delegation: Delegation): boolean =>
  delegation.status !== 'unknown' &&
  (delegation.asksFirst || (delegation.isStranger === true && delegation.cap === null));
