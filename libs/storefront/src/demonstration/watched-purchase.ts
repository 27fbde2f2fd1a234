import { randomBytes } from 'node:crypto';
import {
  type Answer,
  Api,
  authorizationUrl,
  Browser,
  DEMONSTRATION_CLIENT,
  discover,
  exchange,
  pkce,
  type ProofKey,
  type Send,
  type Tokens,
} from '#agent';
import type { BookingView } from '#booking';
import type { FlightView } from '#catalog';
import type { BaseUrls } from '#http';
import { type AccountRegistration, nameOf } from '#identity';
import { type Instant, type Money, money, plus } from '#kernel';
import type { OrderView } from '#order';
import { moneyText } from '#site';
import { cheapestOf, dateText, priceText } from '../words.js';

/** A line of the purchase. `refused`: by the mandate, as it should be; `stopped`: the purchase ended before its time. */
export interface Line {
  readonly kind: 'done' | 'refused' | 'stopped';
  readonly title: string;
  readonly detail: string;
}

/** Where it is played, and by whom. `key`: what the token is bound to, where the service requires that; null: nothing. */
export interface Stage {
  readonly urls: BaseUrls;
  readonly traveller: AccountRegistration;
  readonly send: Send;
  readonly key: ProofKey | null;
  readonly now: Instant;
}

interface Flights {
  readonly count: number;
  readonly items: readonly FlightView[];
}

/** What the API refuses: its words are those of the catalogue of errors. */
interface Refused {
  readonly error: string;
  readonly message: string;
  readonly details?: { readonly required?: Money; readonly remaining?: Money };
}

/** How far ahead (ms) the flight leaves, so that cancelling it from the account gives everything back. */
const AHEAD = 20 * 86_400_000;
const MINUTES = 10;
const FAMILY_NAME = 'Souza';
const [CITY, FAR] = ['Recife', 'Lisboa'];
const SCOPES = ['booking:write', 'order:write', 'payment:execute', 'receipt:read'];
const AGAIN = 'Tente de novo em instantes. O que aconteceu até aqui está na conta.';
const NOT_LET = 'A conta não deixa este agente gastar mais agora: veja lá o limite dele, ou se ele está pausado.';

const done = (title: string, detail: string): Line => ({ kind: 'done', title, detail });

/** An answer that the purchase cannot go on from; its message, if it has one, is fit to be shown. */
class Stopped extends Error {}

const expected = <Body>({ status, body }: Answer<Body>, wanted: number): Body => {
  if (status !== wanted) throw new Stopped((body as Partial<Refused> | null)?.message);
  return body;
};

/** Buys as any agent does: by OAuth, the traveller's own consent and the API. Its last line is a refusal, or why it stopped; `onError`: what nobody foresaw. */
export async function* watchedPurchase(stage: Stage, onError: (error: unknown) => void): AsyncGenerator<Line, void> {
  try {
    yield* purchase(stage);
  } catch (error) {
    if (!(error instanceof Stopped)) onError(error);
    const said = error instanceof Stopped ? error.message : '';
    yield { kind: 'stopped', title: 'A demonstração parou aqui', detail: said || AGAIN };
  }
}

async function* purchase(stage: Stage): AsyncGenerator<Line, void> {
  const { urls, traveller, send, key, now } = stage;
  const name = nameOf(traveller.email);
  const passenger = `${name} ${FAMILY_NAME}`;
  const { flight, fare, what, count } = await cheapest(new Api(urls.base, null, null, send), now);
  const { flightNumber, departureDate: date, departureTime } = flight;
  const flights = count === 1 ? '1 voo' : `${count} voos`;
  yield done(
    `Procurou ${what}`,
    `${flights}${date === null ? '' : ` em ${dateText(date)}`}. O mais barato: ${flightNumber}, ${priceText(fare, flight)}.`,
  );

  const limit = money(limitFor(fare.price), flight.currency);
  const tokens = await granted(stage, limit, `Voo ${routeOf(flight)}`);
  try {
    yield done(
      `Pediu a ${name} licença para gastar`,
      `${name} autorizou até ${moneyText(limit)}, por ${MINUTES} minutos. É o mandato: sem ele, nada é cobrado.`,
    );
    const api = new Api(urls.base, tokens.access_token, key, send);
    const payWith = {
      mandateId: tokens.authorization_details?.[0]?.mandateId,
      payment: { cardNumber: '4242 4242 4242 4242', expiry: `12/${Number(now.slice(2, 4)) + 2}`, cvc: '123' },
    };

    const bookingId = await booked(api, flight, [{ givenName: name, familyName: FAMILY_NAME }]);
    yield done(
      `Reservou um assento no ${flightNumber}`,
      `${routeOf(flight)}${date === null ? '' : `, ${dateText(date)}`}, às ${departureTime}, tarifa ${fare.name}.`,
    );

    const order = expected(await api.post<OrderView>('/orders', { bookingId, ...payWith }), 201);
    const rest = money(limit.amount - order.grandTotal.amount, limit.currency);
    yield done(
      `Pagou ${moneyText(order.grandTotal)}`,
      `Cabia no mandato, e o cartão de teste aprovou. Disponível agora: ${moneyText(rest)}.`,
    );

    expected(await api.get(`/orders/${order.id}/receipt`), 200);
    yield done('Recebeu o bilhete e o recibo', `Localizador ${order.locator ?? ''}, em nome de ${passenger}.`);

    const dearer = await beyond(api, rest, flight);
    const tooMuch = { bookingId: await booked(api, dearer), ...payWith };
    const { error, message, details } = (await api.post<Refused>('/orders', tooMuch)).body;
    if (error !== 'mandate_limit_exceeded') throw new Stopped(message);
    yield {
      kind: 'refused',
      title: `Tentou comprar também ${routeOf(dearer)}`,
      detail: `${moneyText(details?.required ?? rest)}: recusado pelo mandato, que só tem ${moneyText(details?.remaining ?? rest)} disponíveis. Nada foi cobrado.`,
    };
  } finally {
    // What it was given for this purchase it gives back: no token is left.
    const form = { token: tokens.access_token, client_id: DEMONSTRATION_CLIENT.clientId };
    await send(`${urls.auth}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(form) });
  }
}

const routeOf = ({ fromCity, from, toCity }: FlightView): string => `${fromCity ?? from} → ${toCity}`;

/** What is searched for, and where there is no such flight on that day. */
const cheapest = async (api: Api, now: Instant) => {
  const day = plus(now, AHEAD).slice(0, 10);
  const searches = [
    [`q=${CITY}&date=${day}`, `voos para ${CITY}`],
    [`date=${day}`, 'voos'],
    ['', 'voos'],
  ] as const;
  for (const [search, what] of searches) {
    const { count, items } = expected(await api.get<Flights>(`/flights?sort=price&${search}`), 200);
    for (const flight of items) {
      const fare = cheapestOf(flight);
      if (flight.seats > 0 && fare) return { flight, fare, what, count };
    }
  }
  throw new Stopped('Não há nenhum voo à venda agora.');
};

/** A flight that costs more than is left: one abroad, or the one that was bought. */
const beyond = async (api: Api, rest: Money, bought: FlightView): Promise<FlightView> => {
  const { items } = expected(await api.get<Flights>(`/flights?q=${FAR}&limit=5`), 200);
  const isBeyond = (flight: FlightView): boolean =>
    flight.seats > 0 && flight.currency === rest.currency && (cheapestOf(flight)?.price ?? 0) > rest.amount;
  return items.find(isBeyond) ?? bought;
};

/** A ceiling in round figures that one seat fits into and no second one, and that is not nearly used up by it, since travellers are warned of that. */
const limitFor = (price: number): number => {
  const most = price + Math.floor(price / 2);
  const round = Math.floor(most / 50_00) * 50_00;
  return round > price * 1.25 ? round : most;
};

const booked = async (api: Api, flight: FlightView, travellers?: readonly object[]): Promise<string> => {
  const { flightNumber, departureDate } = flight;
  const wanted = {
    ...{ flightNumber, fareCode: cheapestOf(flight)?.code, passengers: 1 },
    ...(departureDate !== null && { date: departureDate }),
    ...(travellers && { travellers }),
  };
  return expected(await api.post<BookingView>('/bookings', wanted), 201).id;
};

/** The traveller logs in, reads what is asked for, approves on the consent page, and logs out: as in any browser. */
const granted = async ({ urls, traveller, send, key }: Stage, limit: Money, purpose: string): Promise<Tokens> => {
  const { clientId } = DEMONSTRATION_CLIENT;
  const client = { clientId, secret: null, redirectUri: `${urls.site}/demonstracao` };
  const server = await discover(urls.auth, send);
  const { verifier, challenge } = pkce();
  const state = randomBytes(16).toString('base64url');
  const asked = { type: 'payment_mandate', limit, durationMinutes: MINUTES, purpose };
  const address = authorizationUrl(server, client, { scopes: SCOPES, state, challenge, details: [asked] });
  const browser = new Browser(new URL(urls.auth).origin, send, client.redirectUri);
  const login = await browser.open(address);
  const page = await browser.submit(login, { username: traveller.email, password: traveller.password });
  const back = await browser.submit(page, { decision: 'approve' });
  await browser.press(page, '/oauth/logout');
  if (back.status !== 0) throw new Stopped(NOT_LET);
  return exchange(server, client, back.url, { state, verifier }, key, send);
};
