import type { Mandate } from '../support/answers.js';
import { changesOf } from '../support/changes.js';
import { AN_INSTANT, anError } from '../support/matchers.js';
import { bodyOf, book, buy, DECLINED_CARD, grant, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { letPass } from '../support/service.js';
import { Setting } from '../support/setting.js';

const setting = new Setting();

const revoke = ({ id }: Mandate, api = setting.ana) => api.call<Mandate>('DELETE', `/mandates/${id}`);

describe('a mandate', () => {
  it('is good for an hour and for charges where nothing else is said', async () =>
    expect(await grant(setting.ana, 1)).toMatchObject({
      scope: ['order:write', 'payment:execute'],
      duration: { minutes: 60 },
    }));

  it.each([
    [{ limit: { amount: 1, currency: 'USD' }, durationMinutes: 1 }, 60],
    [{ limit: { amount: 10 ** 12, currency: 'EUR' }, durationMinutes: 10_080 }, 604_800],
  ])('may be %j', async (terms, seconds) => {
    const mandate = bodyOf(await setting.ana.post<Mandate>('/mandates', terms), 201);
    expect(mandate.limit).toEqual(terms.limit);
    expect(mandate.remaining).toEqual(terms.limit);
    const { remainingSeconds } = mandate.duration as unknown as { remainingSeconds: number };
    expect(seconds - remainingSeconds).toBeLessThanOrEqual(1);
  });

  it('always says limit = consumed + reserved + remaining', async () => {
    const mandate = await grant(setting.ana, TRIP_PRICE * 2);
    const sums = async () => {
      const { status, limit, consumed, reserved, remaining } = await mandateNow(setting.ana, mandate);
      expect(consumed.amount + reserved.amount + remaining.amount).toBe(limit.amount);
      return [status, consumed.amount];
    };
    expect(await sums()).toEqual(['valid', 0]);
    const booking = await book(setting.ana);
    await order(setting.ana, booking, mandate, DECLINED_CARD);
    expect(await sums()).toEqual(['valid', 0]);
    await buy(setting.ana, booking, mandate);
    expect(await sums()).toEqual(['valid', TRIP_PRICE]);
    await buy(setting.ana, await book(setting.ana), mandate);
    expect(await sums()).toEqual(['exhausted', TRIP_PRICE * 2]);
  });
});

describe('the revocation of a mandate', () => {
  it('is told by the mandate itself, answers it revoked, and changes nothing a second time', async () => {
    const mandate = await grant(setting.ana, TRIP_PRICE);
    const { url } = mandate.revocation as unknown as { url: string };
    const first = bodyOf(await setting.ana.call<Mandate>('DELETE', url.slice(setting.ana.base.length)), 200);
    expect(first).toMatchObject({ id: mandate.id, status: 'revoked', revocation: { revokedAt: AN_INSTANT } });
    const { events } = await changesOf(setting.service, async () => {
      const again = bodyOf(await revoke(mandate), 200);
      expect(again.revocation).toEqual(first.revocation);
    });
    expect(events).toEqual([]);
  });

  it('of an expired one changes nothing', async () => {
    const mandate = await grant(setting.ana, TRIP_PRICE, { durationMinutes: 1 });
    letPass(setting.service, 60_000);
    expect(await revoke(mandate)).toMatchObject({
      status: 200,
      body: { status: 'expired', revocation: { revokedAt: null } },
    });
  });
});

describe("another holder's mandate", () => {
  it.each(['', '/events'])('is forbidden, read at /mandates/<id>%s', async (path) => {
    const { id } = await grant(setting.ana, 1);
    expect(await setting.bruno.get(`/mandates/${id}${path}`)).toMatchObject(anError(403, 'mandate_forbidden'));
    expect(await setting.otherOfAna.get(`/mandates/${id}${path}`)).toMatchObject({ status: 200 });
    expect(await setting.ana.get(`/mandates/${crypto.randomUUID()}${path}`)).toMatchObject(
      anError(404, 'mandate_not_found'),
    );
  });
});
