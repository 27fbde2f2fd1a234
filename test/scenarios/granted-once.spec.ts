import { CHARGE_SCOPES, money, plus, systemContext } from '#kernel';
import { openForEach } from '#testing';
import { CreateMandate } from '../../libs/mandate/src/testing/index.js';
import { gate } from '../support/gate.js';
import { AGENT, PRICE } from '../support/market.js';
import { SkewedClock } from '../support/skewed-clock.js';
import { Sale } from './sale.js';

type Grantor = 'traveller' | 'agent';

const sale = openForEach(() => Sale.open());
const terms = { scope: CHARGE_SCOPES, limit: money(PRICE, 'BRL'), minutes: 60 };

const create = (process: typeof sale.calm, mandateId: string, by: Grantor) =>
  process.createMandate.execute(new CreateMandate(mandateId, AGENT, terms, systemContext('a test'), { by }));
const eventsOf = async (mandateId: string) => {
  const { events } = await sale.market.books();
  return events.filter(({ data }) => (data as { readonly mandateId?: string }).mandateId === mandateId);
};

/** One opening and one creation, which say the same. */
const expectOnce = async (mandateId: string, startsAt: string) => {
  const term = { limit: terms.limit, expiresAt: plus(startsAt, 3_600_000) };
  const [opened, created, ...others] = await eventsOf(mandateId);
  expect(others).toEqual([]);
  expect(opened).toMatchObject({ type: 'MandateOpened', data: term });
  expect(created).toMatchObject({ type: 'MandateCreated', data: { ...term, startsAt, minutes: 60 } });
  await sale.expectSound();
};

describe.each<Grantor>(['traveller', 'agent'])('a mandate that the %s decides', (by) => {
  it('is granted once, as whoever was first opened it, by any number of processes at once', async () => {
    const { clock, ids } = sale.market.stores;
    const mandateId = ids.next();
    const racers = Array.from({ length: 8 }, (_, place) =>
      sale.market.process({ clock: new SkewedClock(clock, place) }),
    );
    const granted = await Promise.all(racers.map((process) => create(process, mandateId, by)));
    const [startsAt = '', ...others] = new Set(granted.map(({ mandate }) => mandate.startsAt));
    expect(others).toEqual([]);
    await expectOnce(mandateId, startsAt);
  });

  it('is granted as it was opened, after who opened it broke off', async () => {
    const { clock, ids } = sale.market.stores;
    const [mandateId, startsAt] = [ids.next(), clock.now()];
    const { intercept, reached } = gate('before', 'append MandateCreated');
    create(sale.market.process({ intercept }), mandateId, by).catch(() => undefined);
    await reached;
    sale.past(1_000);
    expect(await create(sale.calm, mandateId, by)).toMatchObject({ mandate: { startsAt } });
    await expectOnce(mandateId, startsAt);
  });
});
