import type { Api } from '#agent';
import type { Mandate, Order, Refused } from '../support/answers.js';
import { changesOf } from '../support/changes.js';
import { bodyOf, book, brl, buy, GOOD_CARD, grant, mandateNow, TRIP_PRICE, wholeList } from '../support/purchase.js';
import { refusalOf, refused } from '../support/refusal.js';
import { Setting } from '../support/setting.js';

const setting = new Setting({ RECOVERY_PAUSE_SECONDS: '3600' });
let ana: Api;
beforeAll(() => {
  // The recovery worker must not write the end of a mandate while a test looks at what an order wrote.
  ({ ana } = setting);
});
beforeEach(async () => {
  for (const { id } of await wholeList<Mandate>(ana, '/mandates?status=valid'))
    await ana.call('DELETE', `/mandates/${id}`);
});

const ordering = async (): Promise<() => ReturnType<typeof ana.post<Order & Refused>>> => {
  const { id: bookingId } = await book(ana);
  return () => ana.post<Order & Refused>('/orders', { bookingId, payment: GOOD_CARD });
};

const paidWith = async ({ id }: Order): Promise<unknown> => {
  const receipt = await ana.get<{ payment: { mandateId: string; mandateSelection: string } }>(`/orders/${id}/receipt`);
  const { mandateId, mandateSelection } = bodyOf(receipt, 200).payment;
  return { mandateId, mandateSelection };
};

describe('an order that names no mandate (rule 20)', () => {
  it('is paid with the only one there is, and its receipt says that nobody chose it', async () => {
    const { id: mandateId } = await grant(ana, TRIP_PRICE);
    const order = bodyOf(await (await ordering())(), 201);
    expect(await paidWith(order)).toEqual({ mandateId, mandateSelection: 'implicit' });
    const named = await grant(ana, TRIP_PRICE);
    expect(await paidWith(await buy(ana, await book(ana), named))).toMatchObject({ mandateSelection: 'explicit' });
  });

  it('is refused by the only one there is where that has too little left, as if it were named', async () => {
    const mandate = await grant(ana, TRIP_PRICE - 1);
    const call = await ordering();
    const { events } = await changesOf(setting.service, async () =>
      expect(await call()).toMatchObject({
        status: 422,
        body: {
          error: 'mandate_limit_exceeded',
          details: { required: brl(TRIP_PRICE), remaining: brl(TRIP_PRICE - 1) },
        },
      }),
    );
    expect(events).toMatchObject([
      {
        stream: `mandate-${mandate.id}`,
        type: 'MandateChargeRefused',
        data: { orderId: null, reason: 'mandate_limit_exceeded' },
      },
    ]);
  });

  it('guesses none where several could pay, but says which', async () => {
    const mandateIds = [(await grant(ana, TRIP_PRICE)).id, (await grant(ana, TRIP_PRICE * 2)).id];
    await grant(ana, 1);
    const call = await ordering();
    expect(await refusalOf(setting.service, call)).toEqual(refused(422, 'mandate_ambiguous'));
    expect((await call()).body.details).toEqual({ mandateIds });
  });

  it('is refused where none of several has enough left, and leaves nothing in any of them', async () => {
    await grant(ana, TRIP_PRICE - 2);
    await grant(ana, TRIP_PRICE - 1);
    const call = await ordering();
    expect(await refusalOf(setting.service, call)).toEqual(refused(422, 'mandate_limit_exceeded'));
    expect((await call()).body.details).toEqual({ required: brl(TRIP_PRICE), remaining: brl(TRIP_PRICE - 1) });
  });

  it('takes one mandate to its end, and then needs another, however many orders come at once', async () => {
    const mandate = await grant(ana, TRIP_PRICE * 2);
    const calls = await Promise.all(Array.from({ length: 5 }, () => ordering()));
    const answers = await Promise.all(calls.map((call) => call()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.error]).toEqual([422, expect.stringMatching(/^mandate_(limit_exceeded|required)$/)]);
    }
    expect(await mandateNow(ana, mandate)).toMatchObject({ status: 'exhausted', consumed: brl(TRIP_PRICE * 2) });
  });
});
