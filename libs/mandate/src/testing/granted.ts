import { randomUUID } from 'node:crypto';
import { delegations } from '../delegation/delegation.decider.js';
import { Aggregates } from '#event-store';
import { CHARGE_SCOPES, type Currency, type Instant, money, plus, RandomIds, systemContext } from '#kernel';
import { FixedClock } from '#testing';
import { MemoryEventStore } from '../../../event-store/src/testing/index.js';
import { mandates } from '../mandate.decider.js';

const CONTEXT = systemContext('a test');

/** An agent that its traveller has let in, in a log in memory, and what it does with its mandates. */
export class GrantedAgent {
  readonly party = { holder: 'ana', clientId: 'pilot' };
  readonly clock = new FixedClock();
  readonly events = new MemoryEventStore();
  readonly aggregates = new Aggregates(this.events, this.clock, new RandomIds());

  async letIn(): Promise<this> {
    const consent = { type: 'AuthorizeAgent', ...this.party, grantId: 'g', scopes: [] } as const;
    await this.aggregates.handle(delegations, this.party, consent, CONTEXT);
    return this;
  }

  /** Opens a mandate and answers its id; `isCreated` false: it stays at that. */
  async open(amount: number, currency: Currency = 'BRL', isCreated = true): Promise<string> {
    const [mandateId, limit] = [randomUUID(), money(amount, currency)];
    const [startsAt, minutes] = [this.clock.now(), 60];
    const expiresAt = plus(startsAt, minutes * 60_000);
    const open = { type: 'OpenMandate', mandateId, limit, expiresAt, isDecided: true } as const;
    await this.aggregates.handle(delegations, this.party, open, CONTEXT);
    const terms = { mandateId, ...this.party, scope: CHARGE_SCOPES, limit, minutes, startsAt, expiresAt };
    const create = { type: 'CreateMandate', ...terms, grantedBy: 'traveller' } as const;
    if (isCreated) await this.aggregates.handle(mandates, mandateId, create, CONTEXT);
    return mandateId;
  }

  async reserve(mandateId: string, amount: number, currency: Currency = 'BRL'): Promise<string> {
    const orderId = randomUUID();
    const sum = money(amount, currency);
    const holdBefore: Instant = plus(this.clock.now(), 60_000);
    const purchase = { flightNumber: 'AL4012', from: 'GRU', to: 'REC', unitPrice: sum };
    const order = { orderId, bookingId: 'b', ...this.party, amount: sum, purchase, holdBefore };
    await this.aggregates.handle(mandates, mandateId, { type: 'Reserve', ...order }, CONTEXT);
    return orderId;
  }

  async charge(mandateId: string, amount: number, currency: Currency = 'BRL'): Promise<string> {
    const orderId = await this.reserve(mandateId, amount, currency);
    await this.aggregates.handle(mandates, mandateId, { type: 'Consume', orderId }, CONTEXT);
    return orderId;
  }
}
