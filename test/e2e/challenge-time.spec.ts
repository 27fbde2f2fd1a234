import { LEDGER } from '#checkout';
import { agentAt, ANA } from '../support/agent.js';
import type { Order } from '../support/answers.js';
import { CHALLENGED_CARD, challengeIn, checkoutAbandoned, decide, loggedIn } from '../support/challenge.js';
import { anError } from '../support/matchers.js';
import { bodyOf, book, brl, grant, laterTrip, mandateNow, order, TRIP_PRICE } from '../support/purchase.js';
import { type Environment, letPass, settled, startServiceInMemory } from '../support/service.js';
import type { RunningApi } from '../../apps/api/src/start.js';

let service: RunningApi;
afterEach(() => service.stop());

const start = async (environment: Environment = {}): Promise<void> => {
  service = await startServiceInMemory(environment);
};

describe('a challenge that nobody decides (rule 10)', () => {
  it('is settled when its time is over, without anybody asking: seats, money and place are free', async () => {
    await start({ CHALLENGE_SECONDS: '0.5', RECOVERY_PAUSE_SECONDS: '0.05', LIMIT_OPEN_CHALLENGES: '1' });
    const ana = await agentAt(service.origin);
    const seats = async () => {
      await settled(service);
      return bodyOf(await ana.get<{ readonly seats: number }>('/flights/AL1201'), 200).seats;
    };
    const before = await seats();
    const booking = await book(ana);
    const mandate = await grant(ana, TRIP_PRICE);
    const { id, url } = challengeIn(await order(ana, booking, mandate, CHALLENGED_CARD));
    await checkoutAbandoned(service, booking);

    expect(await mandateNow(ana, mandate)).toMatchObject({ reserved: brl(0), remaining: brl(TRIP_PRICE) });
    expect(bodyOf(await ana.get<Order>(`/orders/${id}`), 200)).toMatchObject({
      status: 'failed',
      failure: 'payment_challenge_failed',
    });
    expect(await order(ana, booking, mandate, CHALLENGED_CARD)).toMatchObject(anError(402, 'payment_challenge_failed'));
    const { page } = await loggedIn(url, ANA);
    expect(page.html).toContain('O prazo acabou');
    expect(page.html).not.toContain('name="decision"');
    expect(await seats()).toBe(before);
    challengeIn(await order(ana, await book(ana), mandate, CHALLENGED_CARD));
  });

  it('approved and never completed, is settled too, and nobody says that its holder did not confirm', async () => {
    await start({ RECOVERY_PAUSE_SECONDS: '0.05' });
    const ana = await agentAt(service.origin);
    const [booking, mandate] = [await book(ana, laterTrip()), await grant(ana, TRIP_PRICE)];
    const { id, url } = challengeIn(await order(ana, booking, mandate, CHALLENGED_CARD));
    expect((await decide(url, ANA, 'approve')).html).toContain('Pagamento aprovado');
    letPass(service, 600_000);
    await checkoutAbandoned(service, booking);
    const ledger = await service.dependencies.documents.get<unknown>(LEDGER.name, id);
    const reason = 'payment_not_completed';
    expect(ledger?.body).toEqual({ status: 'refused', reason });
    const { browser, page } = await loggedIn(url, ANA);
    expect(page.html).toMatch(/Você aprovou, mas <strong>Cliente piloto<\/strong> não concluiu a compra até/);
    expect((await browser.open(`/conta/pedidos/${id}`)).html).toContain(
      'Você aprovou, mas o agente não concluiu a compra a tempo.',
    );
    const again = await agentAt(service.origin);
    expect(bodyOf(await again.get<Order>(`/orders/${id}`), 200)).toMatchObject({ status: 'failed', failure: reason });
    const text = 'O viajante aprovou o pagamento, mas o agente não concluiu a compra a tempo.';
    const anew = await grant(again, TRIP_PRICE);
    expect(await order(again, booking, anew, CHALLENGED_CARD)).toMatchObject(anError(402, reason, { message: text }));
  });
});
