import { forgetSessions, SESSIONS } from '#ucp';
import { SigningPlatform } from '../../libs/ucp/src/testing/index.js';
import { ANA, BRUNO } from '../support/agent.js';
import { loggedIn } from '../support/challenge.js';
import { changesOf } from '../support/changes.js';
import type { Traveller } from '../support/consent.js';
import { SmallSetting } from '../support/setting.js';
import { ACCEPTED, type Checkout, linkedTo, PlatformAgent } from '../support/ucp.js';

const setting = new SmallSetting({ LIMIT_PUBLIC_READS: '0' });
const origin = () => setting.origin;
let platform: SigningPlatform;
let ofAna: PlatformAgent;
let ofBruno: PlatformAgent;
let unproven: PlatformAgent;
let item = '';

const linked = async (traveller: Traveller): Promise<PlatformAgent> => {
  const token = await linkedTo(setting.service, platform.profileUrl, traveller);
  return new PlatformAgent(origin, platform.profileUrl, token);
};

beforeAll(async () => {
  platform = await SigningPlatform.open();
  [ofAna, ofBruno] = [await linked(ANA), await linked(BRUNO)];
  unproven = new PlatformAgent(origin, platform.profileUrl);
  item = await unproven.item();
});
afterAll(() => platform.close());

const codes = ({ messages }: Pick<Checkout, 'messages'>) => messages.map(({ code }) => code);
const lines = () => ({ line_items: [{ item: { id: item }, quantity: 1 }] });

/** What the platform itself is answered, by its signature. */
const signed = async (method: string, path: string, content: object | null = null) => {
  const [url, body] = [`${setting.origin}/ucp/v1${path}`, content && JSON.stringify(content)];
  const headers = platform.headers(method, url, body, method === 'GET' ? {} : { idempotencyKey: crypto.randomUUID() });
  const response = await fetch(url, { method, headers, body });
  return (await response.json()) as Checkout;
};

/** What somebody is answered by every operation on a session, by REST and MCP. */
const everything = async (who: PlatformAgent, id: string): Promise<readonly string[]> => {
  const path = `/checkout-sessions/${id}`;
  const rest = [
    await who.ask('GET', path),
    await who.ask('PUT', path, lines()),
    await who.ask('POST', `${path}/complete`, ACCEPTED),
    await who.ask('POST', `${path}/cancel`),
  ].map(({ body }) => body);
  const tools = [
    await who.call('get_checkout', { id }),
    await who.call('update_checkout', { id, checkout: lines() }),
    await who.call('complete_checkout', { id, checkout: ACCEPTED }),
    await who.call('cancel_checkout', { id }),
  ].flatMap(({ result }) => result?.structuredContent ?? []);
  return [...rest, ...tools].flatMap(codes);
};
const NOTHING = Array.from({ length: 8 }, () => 'not_found');

describe('a session by a token of a traveller', () => {
  it('is there for no other traveller of that platform, and for nobody who proves nothing', async () => {
    const buyer = { email: 'zoe@example.com' };
    const { id } = await ofAna.create(item, 1, { buyer });
    const { events } = await changesOf(setting.service, async () => {
      expect(await everything(ofBruno, id)).toEqual(NOTHING);
      expect(await everything(unproven, id)).toEqual(NOTHING);
    });
    expect(events).toEqual([]);
    expect(await ofAna.get(id)).toMatchObject({ id, status: 'ready_for_complete', buyer });
    expect(await signed('GET', `/checkout-sessions/${id}`)).toMatchObject({ id, buyer });
    expect(await signed('POST', `/checkout-sessions/${id}/cancel`)).toMatchObject({ id, status: 'canceled' });
  });

  it('is so from the first change by a token on, whoever began it', async () => {
    for (const begun of [await signed('POST', '/checkout-sessions', lines()), await unproven.create(item)]) {
      const path = `/checkout-sessions/${begun.id}`;
      expect([(await ofAna.get(begun.id)).id, (await ofBruno.get(begun.id)).id]).toEqual([begun.id, begun.id]);
      expect((await ofAna.ask('PUT', path, lines())).body.id).toBe(begun.id);
      expect(await everything(ofBruno, begun.id)).toEqual(NOTHING);
      expect(codes(await unproven.get(begun.id))).toEqual(['not_found']);
    }
  });

  it('is bought by nobody else: not on its page, and not by what another traveller pays with', async () => {
    const { id } = await ofAna.create(item, 1, { buyer: { first_name: 'Zuleica', email: BRUNO.email } });
    const { page } = await loggedIn(`${setting.origin}/comprar/${id}`, BRUNO);
    expect([page.status, page.html.includes('não é sua'), page.html.includes('Zuleica')]).toEqual([200, true, false]);
    const { events } = await changesOf(setting.service, async () => {
      expect(codes(await ofAna.complete(id))).toEqual(['payment_failed']);
      expect(codes(await signed('POST', `/checkout-sessions/${id}/complete`, ACCEPTED))).toEqual(['invalid_mandate']);
    });
    expect(events.filter(({ type }) => /^(Booking|Order)/.test(type))).toEqual([]);
    expect((await loggedIn(`${setting.origin}/comprar/${id}`, ANA)).page.html).toContain('name="cardNumber"');
  });

  it('is told to no token of another traveller once one has bought it', async () => {
    const { id } = await signed('POST', '/checkout-sessions', lines());
    expect((await signed('POST', `/checkout-sessions/${id}/complete`, ACCEPTED)).status).toBe('completed');
    expect(codes(await ofAna.get(id))).toEqual(['not_found']);
  });

  it('is erased with its traveller', async () => {
    const { documents } = setting.service.dependencies;
    const { id } = await ofBruno.create(item);
    const holder = (await documents.get<{ traveller: string }>(SESSIONS.name, id))?.body.traveller ?? '';
    expect(await forgetSessions(documents, holder)).toBe(1);
    expect(codes(await ofBruno.get(id))).toEqual(['not_found']);
  });
});
