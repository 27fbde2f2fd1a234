import { Aggregates, type Delivery, type EventStore, type SubscriptionOptions } from '#event-store';
import { flights } from '#catalog';
import { Locators } from '#checkout';
import { money, nextTurn, plus, systemContext } from '#kernel';
import { delegations, mandates } from '#mandate';
import { orders } from '#order';
import { ManualClock, until } from '#testing';
import { baseUrlsAt } from '#http';
import { holdSeats, sampleFlight } from '../../catalog/src/testing/index.js';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { sampleCheckout, samplePayment } from '../../booking/src/testing/index.js';
import { GrantedAgent } from '../../mandate/src/testing/index.js';
import { Outbox } from './outbox.js';
import { OutboxWriter } from './outbox-writer.thread.js';
import { cursorOf, KEPT, OUTBOX, type Place } from './places.js';

const CONTEXT = systemContext('a test');
const ID = /^evt_[0-9a-f]{32}(?:_\d+)?$/;

class Desk {
  readonly clock = new ManualClock();
  readonly store = new MemoryDocuments(this.clock);
  readonly failures: unknown[] = [];
  readonly outbox: Outbox;
  private writer: OutboxWriter | null = null;

  constructor(readonly agent: GrantedAgent) {
    this.outbox = new Outbox(agent.events, this.store, new Locators(Buffer.alloc(32)));
  }

  static async open(): Promise<Desk> {
    const desk = new Desk(await new GrantedAgent().letIn());
    await desk.store.prepare(OUTBOX);
    await desk.store.prepare({ name: 'checkpoints', indexes: [] });
    return desk;
  }

  get aggregates(): Aggregates {
    return this.agent.aggregates;
  }

  /** A process writes until all is told, and ends. */
  async write(store = this.store): Promise<readonly Place[]> {
    const { clock } = this;
    const onError = (error: unknown) => this.failures.push(error);
    this.writer = new OutboxWriter({ events: this.agent.events, store, clock, onError, lease: null });
    this.writer.start();
    const head = (await this.agent.events.head())?.position ?? '';
    const before = this.failures.length;
    await until(async () => {
      this.clock.advance(100);
      return this.failures.length > before || ((await this.outbox.end()) ?? '') > head;
    });
    await this.writer.stop();
    return this.places();
  }

  places(): Promise<readonly Place[]> {
    return this.outbox.after(null, 'everybody', 100);
  }
}

const typesOf = (places: readonly Place[]): readonly string[] => places.map(({ type }) => type);

describe('the writer of public events', () => {
  it('writes the same again after a crash between places and checkpoint, and crosses nothing twice', async () => {
    const desk = await Desk.open();
    const { agent, store } = desk;
    const mandateId = await agent.open(1_000);
    for (const amount of [500, 300]) await agent.charge(mandateId, amount);
    // The process dies as it is to store how far it is.
    const dying = Object.assign(Object.create(store) as MemoryDocuments, {
      putGuarded: (name: string, writes: Parameters<MemoryDocuments['putGuarded']>[1]) =>
        name === 'checkpoints' ? Promise.reject(new Error('killed')) : store.putGuarded(name, writes),
    });
    await desk.write(dying);
    expect(desk.failures).toEqual([new Error('killed')]);
    expect(await desk.places()).toEqual([]); // nobody reads what is not whole
    const told = await desk.write();
    expect(typesOf(told)).toEqual(['mandate.granted', 'mandate.nearly_exhausted']);
    await agent.charge(mandateId, 200);
    await desk.write(dying);
    for (const whose of ['everybody', agent.party] as const)
      expect(await desk.outbox.after(null, whose, 100)).toEqual(told); // the batch that follows is not whole yet
    // Another process knows nothing of the mandate but its stream.
    const all = await desk.write();
    expect(typesOf(all)).toEqual([...typesOf(told), 'mandate.exhausted']);
    for (const { id, lane } of all) expect([lane, id]).toEqual([mandateId, expect.stringMatching(ID)]);
    const events = await desk.outbox.eventsOf(all, baseUrlsAt('https://voos.example'));
    expect(events.map(({ data }) => (data as { readonly consumed: object }).consumed)).toEqual(
      [0, 800, 1_000].map((amount) => ({ amount, currency: 'BRL' })),
    );
  });

  it('says how far it is in the middle of what tells nothing, too, however long that goes on without a pause', async () => {
    const desk = await Desk.open();
    const { agent, store, clock } = desk;
    await agent.open(100);
    await desk.write();
    const before = (await desk.outbox.end()) ?? '';
    let passed = 0;
    const events = Object.assign(Object.create(agent.events) as EventStore, {
      async *subscribe({ signal }: SubscriptionOptions): AsyncIterable<Delivery> {
        for (; passed < 30; passed += 1) {
          const position = `1${String(passed).padStart(19, '0')}`;
          yield { event: null, checkpoint: { position } };
          clock.advance(100);
          await nextTurn();
        }
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    const onError = (error: unknown) => desk.failures.push(error);
    const writer = new OutboxWriter({ events, store, clock, onError, lease: null });
    writer.start();
    await until(() => passed === 30);
    expect([((await desk.outbox.end()) ?? '') > before, desk.failures]).toEqual([true, []]);
    await writer.stop();
  });

  it('tells of one purchase that it nearly exhausts a mandate, and that it does, at one place in the log', async () => {
    const desk = await Desk.open();
    await desk.agent.charge(await desk.agent.open(1_000), 1_000);
    const [, nearly, wholly] = await desk.write();
    expect(typesOf([nearly as Place, wholly as Place])).toEqual(['mandate.nearly_exhausted', 'mandate.exhausted']);
    expect(wholly?.id).toBe(`${nearly?.id}_1`);
    expect(wholly?.key.split('.')).toEqual([nearly?.key.split('.')[0], '000001']);
  });

  it('tells a refusal by the traveller from a mandate that its agent takes back', async () => {
    const desk = await Desk.open();
    const { clock, party } = desk.agent;
    const terms = { ...party, scope: [], limit: money(100, 'BRL'), minutes: 60 };
    for (const [mandateId, clientId] of [
      ['m1', null],
      ['m2', party.clientId],
    ] as const) {
      const [requestedAt, lapsesAt] = [clock.now(), plus(clock.now(), 60_000)];
      const request = { type: 'RequestMandate', mandateId, ...terms, requestedAt, lapsesAt } as const;
      await desk.aggregates.handle(mandates, mandateId, request, CONTEXT);
      const by = { ...CONTEXT, actor: { holder: party.holder, clientId } };
      await desk.aggregates.handle(mandates, mandateId, { type: 'Revoke', holder: party.holder }, by);
    }
    const asked = ['mandate.requested', 'mandate.refused', 'mandate.requested', 'mandate.revoked'];
    expect(typesOf(await desk.write())).toEqual(asked);
  });

  it('tells an agent that it was removed, and every agent with an order on a cancelled flight, once', async () => {
    const desk = await Desk.open();
    const { aggregates } = desk;
    const flight = sampleFlight();
    await aggregates.handle(flights, flight.flightNumber, { type: 'ScheduleFlight', flight }, CONTEXT);
    const place = async (orderId: string, clientId: string, isPlaced = true) => {
      await holdSeats(aggregates, flight.flightNumber, orderId, 1);
      const checkout = { ...sampleCheckout(), orderId, holder: 'ana', clientId };
      if (isPlaced) await aggregates.handle(orders, orderId, { type: 'PlaceOrder', checkout }, CONTEXT);
      return checkout;
    };
    await place('never placed', 'pilot', false);
    await place('o1', 'other');
    await place('o2', 'pilot');
    await place('o3', 'other');
    const released = await place('o4', 'third');
    const release = { type: 'ReleaseSeats', orderId: 'o4', holdBefore: released.holdBefore } as const;
    await aggregates.handle(flights, flight.flightNumber, release, CONTEXT);
    await aggregates.handle(flights, flight.flightNumber, { type: 'CancelFlight', reason: 'neve' }, CONTEXT);
    await aggregates.handle(delegations, desk.agent.party, { type: 'RevokeAgent' }, CONTEXT);
    const told = await desk.write();
    expect(told.map(({ type, clientId, orderIds }) => [type, clientId, orderIds])).toEqual([
      ['flight.cancelled', 'other', ['o1', 'o3']],
      ['flight.cancelled', 'pilot', ['o2']],
      ['agent.revoked', 'pilot', undefined],
    ]);
    const [cancelled] = await desk.outbox.eventsOf(told, baseUrlsAt('https://voos.example'));
    expect(cancelled?.data).toMatchObject({ flightNumber: flight.flightNumber, orderIds: ['o1', 'o3'] });
    expect(JSON.stringify(cancelled)).not.toContain('neve');
  });

  it('tells of an order what its processor and its traveller say', async () => {
    const desk = await Desk.open();
    const checkout = sampleCheckout();
    const asked = { brand: 'visa', last4: '3220', expiresAt: plus(desk.agent.clock.now(), 600_000) };
    for (const command of [
      { type: 'PlaceOrder', checkout },
      { type: 'ChallengePayment', ...asked },
      { type: 'DecidePayment', decision: 'approve' },
      { type: 'PayOrder', ticketCodes: ['9770000000014'], payment: samplePayment },
    ] as const)
      await desk.aggregates.handle(orders, checkout.orderId, command, CONTEXT);
    const told = await desk.write();
    expect(typesOf(told)).toEqual(['challenge.requested', 'challenge.decided', 'order.paid']);
    const events = await desk.outbox.eventsOf(told, baseUrlsAt('https://voos.example'));
    expect(events.map(({ data }) => (data as { readonly status: string }).status)).toEqual([
      'waiting',
      'approved',
      'paid',
    ]);
    expect(JSON.stringify(events)).not.toContain('3220');
  });

  it('forgets after 30 days, and says so to who asks from before', async () => {
    const desk = await Desk.open();
    await desk.agent.open(100);
    const [first] = await desk.write();
    desk.clock.advance(KEPT);
    await desk.agent.open(200); // by the clock of the agent, which stands, it is as old
    expect(await desk.write()).toEqual([]);
    const end = await desk.outbox.end();
    const before = desk.outbox.checkKept(first?.key ?? '', end);
    await expect(before).rejects.toMatchObject({ code: 'cursor_too_old', details: { oldest: expect.any(String) } });
    await expect(desk.outbox.checkKept(end ?? '', end)).resolves.toBeUndefined();
    const { details } = (await before.catch((error: unknown) => error)) as {
      readonly details: { readonly oldest: string };
    };
    expect(details.oldest > cursorOf(first?.key ?? '')).toBe(true);
  });
});
