import { openForEach } from '#testing';
import { DomainError } from '#kernel';
import { type BaseUrls, baseUrlsAt } from '../base-urls.js';
import { answerKept, keptAnswer } from './idempotency-record.js';
import { openDesk } from './testing/open-desk.js';

const at = openForEach(() => openDesk());

describe('an answer that is kept (rule 21)', () => {
  it('has the names of addresses of the API and of pages, and shows those of whoever asks for it again', () => {
    const answer = ({ base, site }: BaseUrls) => ({
      url: `${base}/orders/1`,
      details: [{ page: `${site}/desafios/1` }],
    });
    const [here, there] = [baseUrlsAt('http://127.0.0.1:3000'), baseUrlsAt('https://voos.example')];
    const kept = keptAnswer(answer(here), here);
    expect(kept).not.toContain('127.0.0.1');
    expect(answerKept(kept, there)).toEqual(answer(there));
    const metadata = { one: '{base_url}/orders/1', other: `${here.base}/orders/1` };
    const noted = { ...answer(here), metadata };
    expect(answerKept(keptAnswer(noted, here), there)).toEqual({ ...answer(there), metadata });
    const members = { order: answer(here) };
    const refused = keptAnswer(new DomainError('payment_declined', undefined, { members }), here);
    expect(refused).not.toContain('127.0.0.1');
    const again = answerKept(refused, there);
    expect(again).toBeInstanceOf(DomainError);
    expect(again).toMatchObject({ code: 'payment_declined', members: { order: answer(there) } });
  });
});

describe('what is kept of a request (rule 21)', () => {
  const CARD = '4242424242424242';

  it('has no card, key, caller or address in it; the addresses are those of each request', async () => {
    const body = { item: 'voo', card: CARD };
    const token = 'mariana/piloto';
    const first = await at.post('chave-1', body, { token });
    const kept = JSON.stringify(await at.records());
    for (const secret of [CARD, 'chave-1', 'mariana', 'piloto', 'http:', '127.0.0.1'])
      expect(kept).not.toContain(secret);
    expect(kept).toContain(`{base_url}/orders/${first.body.id ?? ''}`);
    const { body: elsewhere } = await at.post('chave-1', body, { token, name: 'localhost' });
    expect(elsewhere.url).toBe(first.body.url?.replace('127.0.0.1', 'localhost'));
  });

  it('tells numbers beyond all range apart, which JSON can say and not repeat', async () => {
    const [first, again, another] = [
      await at.post('vast', '{"item":"voo","most":1e309}'),
      await at.post('vast', '{"item":"voo","most":1e309}'),
      await at.post('vast', '{"item":"voo","most":-1e309}'),
    ];
    expect([first.status, first.replayed]).toEqual([201, null]);
    expect([again.status, again.replayed]).toEqual([201, 'true']);
    expect([another.status, another.error]).toEqual([422, 'idempotency_conflict']);
  });

  it('shows neither that two bodies are the same nor, without the secret, what they are', async () => {
    await at.post('k1');
    await at.post('k2');
    const [one, other] = await at.records();
    expect(one?.fingerprint).not.toBe(other?.fingerprint);
    const elsewhere = await openDesk();
    await elsewhere.post('k1');
    const known = (await elsewhere.records()).map(({ id, fingerprint }) => [id, fingerprint]).flat();
    await elsewhere.close();
    for (const { id, fingerprint } of await at.records()) {
      expect(known).not.toContain(id);
      expect(known).not.toContain(fingerprint);
    }
  });
});
