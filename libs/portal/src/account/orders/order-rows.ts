import type { Contact, People, Traveller } from '#booking';
import { cityNamed } from '#catalog';
import type { PlacedOrder } from '#order';
import { conditionsText, fact, html, type Html, moneyText, shortDayText } from '#site';
import type { AgentName } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { type Line, NO_CONDITIONS, type PriceParts } from '#events';

const BAGGAGE: Readonly<Record<Line['baggage'], string>> = {
  none: 'sem bagagem despachada',
  checked: 'com bagagem despachada',
  'checked+seat': 'com bagagem despachada e escolha de assento',
};

const arrivalDay = (offset: number): string =>
  offset === 0 ? '' : offset === 1 ? ' do dia seguinte' : `, ${offset} dias depois`;

/** When a flight leaves and arrives, in local times of the airports, and what its fare includes. */
export const journeyText = (line: Line): string => {
  const { departureDate, departureTime, arrivalTime, arrivalDayOffset, baggage } = line;
  const day = departureDate === null ? 'Sai' : `Em ${dayText(departureDate)}, sai`;
  return `${day} às ${departureTime} e chega às ${arrivalTime}${arrivalDay(arrivalDayOffset)}; ${BAGGAGE[baggage]}.`;
};

/** The cities a flight leads from and to: `São Paulo – Recife`; the code of an airport of which nothing is known. */
export const citiesText = ({ from, to }: Pick<Line, 'from' | 'to'>): string => `${cityNamed(from)} – ${cityNamed(to)}`;

/** What a price is made of; nothing of one without taxes. */
export const taxFacts = ({ base, taxes }: PriceParts): readonly Html[] =>
  taxes.amount > 0 ? [fact('Tarifa e taxas', `${moneyText(base)} + ${moneyText(taxes)}`)] : [];

/** What comes back where what was bought is cancelled. */
export const conditionsFact = ({ conditions = NO_CONDITIONS }: Line): Html =>
  fact('Cancelamento', conditionsText(conditions));

/** A date as a page shows it: `05/12/2026`. */
export const dayText = (date: string): string => date.split('-').reverse().join('/');

export const fullName = ({ givenName, familyName }: Traveller): string => `${givenName} ${familyName}`;

const LIST = new Intl.ListFormat('pt-BR');

/** Who flies, by name where the agent said it; else how many. */
export const passengersText = ({ passengers }: Line, { travellers }: People = {}): string => {
  if (travellers) return LIST.format(travellers.map(fullName));
  return passengers === 1 ? '1 passageiro' : `${passengers} passageiros`;
};

const travellerText = (traveller: Traveller): string => {
  const { birthDate, document } = traveller;
  const born = birthDate === undefined ? [] : [`nascimento em ${dayText(birthDate)}`];
  const papers = document ? [`${document.type} ${document.number}`] : [];
  return [fullName(traveller), ...born, ...papers].join(', ');
};

/** Who flies, and how to reach them; nothing where the agent named nobody. */
export const peopleFacts = ({ travellers, contact }: People): readonly Html[] => [
  ...(travellers ? [fact('Quem voa', html`${travellers.map((one) => html`${travellerText(one)}<br />`)}`)] : []),
  ...(contact ? [fact('Contato', contactText(contact))] : []),
];

const contactText = ({ email, phone, declined }: Contact): string =>
  [email, phone].filter(Boolean).join(' · ') || (declined ? 'não quis informar' : 'não informado');

export const orderRows = (orders: readonly PlacedOrder[], nameOf: (clientId: string) => AgentName): Html =>
  html`<ul class="rows" role="list">
    ${orders.map((order) => row(order, nameOf(order.checkout.clientId)))}
  </ul>`;

const row = (order: PlacedOrder, { name }: AgentName): Html => {
  const { orderId, line, total } = order.checkout;
  return html`<li>
    <p class="row-head">
      <a href="${pathTo({ kind: 'order', id: orderId })}">${routeText(line)}</a> ${orderMark(order)}
    </p>
    <p class="small">${dateText(line)} · Voo ${line.flightNumber} · ${moneyText(total)} · ${name}</p>
  </li>`;
};

/** The cities of a flight, in words where an arrow is not read. */
const routeText = ({ from, to }: Line): Html =>
  html`${cityNamed(from)} <span aria-hidden="true">→</span><span class="visually-hidden">para</span> ${cityNamed(to)}`;

/** The day of a flight at its airport, which is a day and no instant: `5 dez. 2026`. */
const dateText = ({ departureDate }: Line): string =>
  departureDate === null ? 'sem data' : shortDayText(`${departureDate}T12:00:00.000Z`);

const PURCHASE_WORDS: Readonly<Record<PlacedOrder['kind'], string>> = {
  pending: 'em andamento',
  paid: 'comprada',
  cancelled: 'cancelada',
  failed: 'não concluída',
};

const orderMark = ({ kind }: PlacedOrder): Html =>
  html`<span class="${kind === 'failed' || kind === 'cancelled' ? 'mark-off' : 'mark-on'}"
    >${PURCHASE_WORDS[kind]}</span
  >`;

/** A flight that was bought, as a card that leads to its ticket. */
export const tripCard = ({ checkout }: PlacedOrder, { name }: AgentName): Html => {
  const { orderId, line, total } = checkout;
  const { flightNumber, departureTime, arrivalTime, arrivalDayOffset } = line;
  const arrival = `${arrivalTime}${arrivalDayOffset === 0 ? '' : ` (+${arrivalDayOffset})`}`;
  return html`<article class="trip" aria-labelledby="v-${orderId}">
    <h3 id="v-${orderId}"><a href="${pathTo({ kind: 'order', id: orderId })}">${routeText(line)}</a></h3>
    <p class="trip-price">${moneyText(total)}</p>
    <p class="trip-when">${dateText(line)}, ${departureTime}–${arrival}</p>
    <p class="small">Voo ${flightNumber} · ${passengersText(line)} · por ${name}</p>
  </article>`;
};
