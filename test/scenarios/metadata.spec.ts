import { loadBooking } from '#booking';
import { CHARGE_SCOPES, money, systemContext } from '#kernel';
import { mandates } from '#mandate';
import { AttachedMetadata } from '#http';
import { orders } from '#order';
import { ChangeBooking, ChangeBookingHandler, CreateBooking } from '../../libs/booking/src/testing/index.js';
import { CreateMandate } from '../../libs/mandate/src/testing/index.js';
import { PlaceOrder } from '../../libs/order/src/testing/index.js';
import { Recorder } from '../chaos/steps.js';
import { gate } from '../support/gate.js';
import type { LogicalProcess } from '../support/logical-process.js';
import { AGENT, CARDS, FLIGHT, PRICE } from '../support/market.js';
import { Sale } from './sale.js';

const CONTEXT = systemContext('a test');
const NOTED = { viagem: 'Congresso da Ana Segredo' };
const ID = 'a0000000-0000-4000-8000-000000000000';

let sale: Sale;
const open = async (): Promise<void> => {
  sale = await Sale.open();
  await sale.calm.prepare();
};
beforeEach(open);
afterEach(() => sale.market.close());

interface Kind {
  readonly name: string;
  readonly create: (process: LogicalProcess, id: string) => Promise<unknown>;
  readonly isThere: (id: string) => Promise<boolean>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'a booking',
    create: ({ createBooking }, id) => {
      const request = { flightId: FLIGHT, fareCode: 'LEVE', passengers: 1 };
      return createBooking.execute(new CreateBooking(id, AGENT, request, CONTEXT, NOTED));
    },
    isThere: async (id) => (await loadBooking(sale.calm.aggregates, id)).kind !== 'none',
  },
  {
    name: 'a mandate',
    create: ({ createMandate }, id) => {
      const terms = { scope: CHARGE_SCOPES, limit: money(PRICE, 'BRL'), minutes: 60 };
      return createMandate.execute(new CreateMandate(id, AGENT, terms, CONTEXT, undefined, NOTED));
    },
    isThere: async (id) => (await sale.calm.aggregates.load(mandates, id)).state.kind === 'granted',
  },
  {
    name: 'an order',
    create: ({ placeOrder }, id) => {
      const { booking: bookingId, mandate: mandateId } = sale.wanted;
      const card = { cardNumber: CARDS.good, expiry: '12/30', cvc: '123' };
      const request = {
        bookingId,
        mandateId,
        buyer: undefined,
        card,
        expectedTotal: undefined,
        acceptUpTo: undefined,
        metadata: NOTED,
      };
      return placeOrder.execute(new PlaceOrder(id, AGENT, request, CONTEXT));
    },
    isThere: async (id) => (await sale.calm.aggregates.load(orders, id)).state.kind !== 'none',
  },
];

const noted = async (id: string) =>
  (await new AttachedMetadata(sale.market.stores.documents, true).of([id], AGENT)).get(id);

it('costs an order that notes nothing no write', async () => {
  const recorder = new Recorder();
  await sale.market.order(sale.market.process({ intercept: recorder.intercept }), sale.wanted);
  const calls = recorder.steps().map(({ call }) => call);
  expect(calls).toContain('append BookingCheckoutStarted');
  expect(calls.filter((call) => call.includes('metadata'))).toEqual([]);
});

it('stays as it was where a change of the booking is refused, also at the last moment', async () => {
  await sale.calm.createBooking.execute(
    new CreateBooking(ID, AGENT, { flightId: FLIGHT, fareCode: 'LEVE', passengers: 1 }, CONTEXT, NOTED),
  );
  const { intercept, reached, open: letThrough } = gate('before', 'append BookingChanged');
  const change = new ChangeBooking(ID, AGENT, { passengers: 2 }, CONTEXT, { viagem: 'Outra' });
  const changing = sale.market.process({ intercept }).the(ChangeBookingHandler).execute(change);
  await reached;
  await sale.market.order(sale.calm, { ...sale.wanted, booking: ID });
  letThrough();
  await expect(changing).rejects.toMatchObject({ code: 'booking_locked' });
  expect(await noted(ID)).toEqual(NOTED);
});

describe.each(KINDS)('what is noted on $name', ({ name, create, isThere }) => {
  it('is there wherever it is, at whatever write its process stops, and after it was sent again', async () => {
    const recorder = new Recorder();
    await create(sale.market.process({ intercept: recorder.intercept }), ID);
    const steps = recorder.steps();
    expect(steps).toContainEqual({ where: 'before', call: 'insert metadata' });
    for (const { where, call } of steps) {
      await sale.market.close();
      await open();
      const { intercept, reached } = gate(where, call);
      void create(sale.market.process({ intercept }), ID);
      await reached;
      if (await isThere(ID)) expect([where, call, await noted(ID)]).toEqual([where, call, NOTED]);
      // A booking and a mandate are created by whoever sends the same again; what became of an order, recovery decides.
      if (name === 'an order') continue;
      await create(sale.calm, ID);
      expect([await isThere(ID), await noted(ID)]).toEqual([true, NOTED]);
    }
  });

  it('stands in no event', async () => {
    await create(sale.calm, ID);
    const { events } = await sale.market.books();
    expect(events.length).toBeGreaterThan(0);
    expect(JSON.stringify(events)).not.toMatch(/Segredo|viagem/);
  });
});
