import { type Constraints, idOf, type Line } from '#events';
import type { Money } from '#kernel';
import type { BookedEvent, Books } from '../../support/books.js';
import type { End } from '../end.js';

/** Clocks of processes are wrong by less than this (ms): what ends or begins nearer than that may be so or not. */
export const UNSURE = 300_000;

/** What is wrong with the mandates of orders: none was closed (rule 1), and one not named was the only one (rule 20). */
export const choiceFindings = ({ answers, written }: End, { events }: Books): readonly string[] => {
  const found: string[] = [];
  // Under a key an earlier try, which nobody was answered, may have begun it.
  const asked = new Map(
    answers.flatMap((answer) =>
      answer.did === 'order' && !answer.key ? [[answer.orderId, answer.asked] as const] : [],
    ),
  );
  const agents = new Agents();
  for (const [place, event] of events.entries()) {
    const { type, data, stored } = event;
    agents.see(event, written[place] ?? 0);
    const since = type === 'BookingCheckoutStarted' ? asked.get(data.orderId) : undefined;
    if (type !== 'BookingCheckoutStarted' || since === undefined) continue;
    const chosen = agents.mandates.get(data.mandateId);
    if ((chosen?.closedSince ?? Infinity) < since)
      found.push(`order ${data.orderId} was opened on mandate ${data.mandateId}, which was over`);
    const isStill = (agents.changedAt.get(`${data.holder}.${data.clientId}`) ?? 0) < since;
    if (data.mandateSelection === 'explicit' || !isStill) continue;
    const able = agents.ableToPay(`${data.holder}.${data.clientId}`, data.total, data.line, stored.metadata.occurredAt);
    if (able && able.join() !== data.mandateId)
      found.push(`order ${data.orderId} chose mandate ${data.mandateId} of those that can pay: ${able.join(', ')}`);
  }
  return found;
};

interface Known {
  readonly agent: string;
  limit: Money;
  endsAt: string;
  readonly scope: readonly string[];
  readonly constraints: Constraints;
  isPaused: boolean;
  isPausedWithAll: boolean;
  /** Whether its end was written, and when it was closed in its delegation: before who ends it is answered (rule 19). */
  isOver: boolean;
  closedSince: number | null;
  spent: number;
  paid: number;
  readonly reserved: Map<string, number>;
}

/** What agents may spend, as the log says it up to a moment. */
class Agents {
  readonly mandates = new Map<string, Known>();
  /** By agent, when anything of it or of its mandates was written last. */
  readonly changedAt = new Map<string, number>();
  /** Mandates that their delegations have open, and those that are to end. */
  private readonly open = new Map<string, string>();
  private readonly ending = new Set<string>();

  see({ type, data, stored }: BookedEvent, at: number): void {
    const id = idOf(stored.stream);
    const mandate = this.mandates.get(id);
    if (stored.stream.startsWith('delegation-')) this.changedAt.set(id, at);
    if (mandate) this.changedAt.set(mandate.agent, at);
    switch (type) {
      case 'MandateOpened':
        this.open.set(data.mandateId, id);
        return;
      case 'MandateClosed':
        this.open.delete(data.mandateId);
        Object.assign(this.mandates.get(data.mandateId) ?? {}, { closedSince: at });
        return;
      case 'AgentRevoked':
        for (const ended of data.openMandates) this.ending.add(ended);
        return;
      case 'SpendingCapSet':
        for (const ended of data.ending) this.ending.add(ended);
        return;
      case 'MandateCreated': {
        const { limit, expiresAt, scope, constraints = {} } = data;
        const agent = `${data.holder}.${data.clientId}`;
        const nothing = { spent: 0, paid: 0, reserved: new Map<string, number>() };
        const running = { isPaused: false, isPausedWithAll: false, isOver: false, closedSince: null };
        this.mandates.set(id, { agent, limit, endsAt: expiresAt, scope, constraints, ...running, ...nothing });
        this.changedAt.set(agent, at);
        return;
      }
    }
    if (!mandate) return;
    switch (type) {
      case 'MandateNarrowed':
        [mandate.limit, mandate.endsAt] = [data.limit, data.expiresAt];
        return;
      case 'MandatePaused':
      case 'MandateResumed':
        mandate[data.pause === undefined ? 'isPaused' : 'isPausedWithAll'] = type === 'MandatePaused';
        return;
      case 'MandateRevoked':
      case 'MandateExpired':
        mandate.isOver = true;
        return;
      case 'MandateReserved':
        mandate.reserved.set(data.orderId, data.amount.amount);
        return;
      case 'MandateConsumed':
        mandate.spent += data.amount.amount;
        mandate.paid += 1;
        mandate.reserved.delete(data.orderId);
        return;
      case 'MandateRefunded':
        mandate.spent -= data.amount.amount;
        mandate.paid -= 1;
        return;
      case 'MandateReleased':
        mandate.reserved.delete(data.orderId);
    }
  }

  /** The mandates of an agent that can pay; null where clocks may see that otherwise. */
  ableToPay(agent: string, total: Money, line: Line, at: string): readonly string[] | null {
    const able: string[] = [];
    for (const [id, opened] of this.open) {
      const mandate = this.mandates.get(id);
      if (opened !== agent || !mandate || this.ending.has(id)) continue;
      if (Math.abs(Date.parse(mandate.endsAt) - Date.parse(at)) < UNSURE) return null;
      if (canPay(mandate, total, line, at)) able.push(id);
    }
    return able;
  }
}

const canPay = (mandate: Known, total: Money, line: Line, at: string): boolean => {
  const { limit, endsAt, scope, constraints, isPaused, isPausedWithAll, isOver, spent, paid, reserved } = mandate;
  const { from, to, maxPricePerSeat, maxOrders, orderTotal } = constraints;
  const held = [...reserved.values()].reduce((sum, one) => sum + one, 0);
  return (
    !isPaused &&
    !isPausedWithAll &&
    !isOver &&
    at < endsAt &&
    ['order:write', 'payment:execute'].every((one) => scope.some((granted) => granted === one)) &&
    limit.currency === total.currency &&
    limit.amount - spent - held >= total.amount &&
    from?.includes(line.from) !== false &&
    to?.includes(line.to) !== false &&
    line.unitPrice.amount <= (maxPricePerSeat?.amount ?? Infinity) &&
    total.amount <= (orderTotal?.max.amount ?? Infinity) &&
    total.amount >= (orderTotal?.min?.amount ?? 0) &&
    paid + reserved.size < (maxOrders ?? Infinity)
  );
};
