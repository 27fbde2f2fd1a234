import { idOf } from '#events';
import type { Money } from '#kernel';
import type { BookedEvent } from '../../support/books.js';

interface Counted {
  cap: Money | null;
  /** The ceilings of the mandates that are open and stay so. */
  readonly open: Map<string, Money>;
  readonly ending: Set<string>;
  /** Cents that closed mandates had consumed since the first cap, by currency. */
  readonly spent: Map<string, number>;
  hasBegun: boolean;
  /** What came back to mandates that were not closed yet, by id; and those that are. */
  readonly back: Map<string, number>;
  readonly closed: Set<string>;
}

/** What is wrong with caps: all that stays fits with what was spent, looked at once the ending is written (rule 28). */
export const capFindings = (events: readonly BookedEvent[]): readonly string[] => {
  const agents = new Map<string, Counted>();
  const found = new Set<string>();
  const look = (id: string): void => {
    const { cap, open, spent } = agents.get(id) ?? {};
    if (!cap || !open || open.size === 0) return;
    const sum = [...open.values()].reduce((all, { amount }) => all + amount, spent?.get(cap.currency) ?? 0);
    if (sum > cap.amount) found.add(`agent ${id} keeps mandates open that bring it to ${sum} under ${cap.amount}`);
    if ([...open.values()].some(({ currency }) => currency !== cap.currency))
      found.add(`agent ${id} keeps a mandate open in another currency than its cap`);
  };
  for (const event of events) {
    if (!event.stored.stream.startsWith('delegation-')) continue;
    const id = idOf(event.stored.stream);
    if (event.type !== 'SpendingCapSet') look(id);
    const agent = agents.get(id) ?? newAgent();
    agents.set(id, agent);
    see(agent, event);
  }
  for (const id of agents.keys()) look(id);
  return [...found];
};

const newAgent = (): Counted => ({
  cap: null,
  open: new Map(),
  ending: new Set(),
  spent: new Map(),
  hasBegun: false,
  back: new Map(),
  closed: new Set(),
});

const see = (agent: Counted, { type, data }: BookedEvent): void => {
  switch (type) {
    case 'MandateOpened':
    case 'OpenMandateNarrowed':
      if (!agent.ending.has(data.mandateId)) agent.open.set(data.mandateId, data.limit);
      return;
    case 'AgentRevoked':
      end(agent, data.openMandates);
      return;
    case 'SpendingCapSet':
      agent.cap = data.cap;
      agent.hasBegun ||= data.cap !== null;
      end(agent, data.ending);
      return;
    case 'MandateClosed': {
      const { amount, currency } = data.consumed;
      end(agent, [data.mandateId]);
      agent.closed.add(data.mandateId);
      const spent = amount - (agent.back.get(data.mandateId) ?? 0);
      if (agent.hasBegun) agent.spent.set(currency, (agent.spent.get(currency) ?? 0) + spent);
      return;
    }
    case 'MandateRefundCounted': {
      const { amount, currency } = data.amount;
      if (agent.closed.has(data.mandateId)) agent.spent.set(currency, (agent.spent.get(currency) ?? 0) - amount);
      else agent.back.set(data.mandateId, (agent.back.get(data.mandateId) ?? 0) + amount);
    }
  }
};

const end = ({ open, ending }: Counted, mandateIds: readonly string[]): void => {
  for (const id of mandateIds) {
    open.delete(id);
    ending.add(id);
  }
};
