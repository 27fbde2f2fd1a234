import type { Parameters } from '#identity';
import { type Currency, type Money, money } from '#kernel';
import type { MandateTerms } from '#mandate';
import { amountEntry, amountIn, html, type Html, moneyText } from '#site';
import { type Airport, cityNamed } from '#catalog';
import type { Constraints } from '#events';
import { amountChoice, amountEntered } from './amount-choice.js';
import { type Cities, narrowedTo } from './city-choice.js';
import { PRESETS } from './cap-field.js';

type AskedMandate = MandateTerms & { readonly purpose?: string | undefined };

export interface MandateEntry extends Cities {
  readonly limit: string;
  /** Whether the ceiling is typed, and whether another one is chosen beside it; absent: neither. */
  readonly isTyped?: boolean;
  readonly isTorn?: boolean;
  readonly duration: string;
  readonly unit: string;
  /** `1`: a single purchase; anything else: as many as the agent asks for. */
  readonly orders?: string;
}

const UNITS: Readonly<Record<string, readonly [minutes: number, name: string]>> = {
  minutes: [1, 'minutos'],
  hours: [60, 'horas'],
  days: [1_440, 'dias'],
};
/** The longest validity of a mandate, in minutes (docs/decisions.md, Mandate). */
const LONGEST = 10_080;

/** The fields as they stand before anybody writes into them: what the agent asks for. */
export const entryOf = ({ limit, minutes }: AskedMandate): MandateEntry => {
  const unit = minutes % 1_440 === 0 ? 'days' : minutes % 60 === 0 ? 'hours' : 'minutes';
  return { limit: amountEntry(limit.amount), duration: String(minutes / (UNITS[unit]?.[0] ?? 1)), unit };
};

/** The name of a field of the mandate at this place. */
export const nameOf = (field: (typeof FIELDS)[number], place: number): string => `${field}-${place + 1}`;

/** The mandates that an agent asks for: how much, for how long, for what; `entries`: what the traveller wrote instead. */
export const mandateFields = (details: readonly AskedMandate[], entries: readonly MandateEntry[] | null): Html =>
  html`${details.map((detail, place) => section(detail, entries?.[place] ?? entryOf(detail), place, details.length))}`;

const section = (detail: AskedMandate, entry: MandateEntry, place: number, count: number): Html => {
  const { purpose } = detail;
  const title = count === 1 ? 'Mandato solicitado' : `Mandato ${place + 1} de ${count}`;
  return html`<section class="mandate" aria-label="${title}">
    ${count > 1 && html`<h2>${title}</h2>`}
    ${purpose !== undefined && html`<p>Para quê, diz o agente: <q>${purpose}</q></p>`}
    ${limitChoice(detail, entry, place)} ${durationFields(entry, place)}
    <ul class="scopes" role="list">
      ${conditions(detail).map((one) => html`<li>${one}</li>`)}
    </ul>
  </section>`;
};

/** For how long it is to be valid. */
export const durationFields = (entry: MandateEntry, place: number): Html => {
  const name = nameOf('duration', place);
  return html`<div class="field beside">
    <label for="${name}">Por até</label>
    <input id="${name}" name="${name}" value="${entry.duration}" inputmode="numeric" autocomplete="off" required />
    <select name="${nameOf('unit', place)}" aria-label="Unidade do prazo">
      ${Object.entries(UNITS).map(
        ([unit, [, name]]) => html`<option value="${unit}" ${unit === entry.unit && html`selected`}>${name}</option>`,
      )}
    </select>
  </div>`;
};

/** What is asked for, less than that, or what the traveller types, which may be more. */
const limitChoice = ({ limit }: AskedMandate, entry: MandateEntry, place: number): Html => {
  const name = nameOf('limit', place);
  const less = PRESETS.filter((amount) => amount < limit.amount);
  return amountChoice({
    name,
    legend: 'Pode gastar até',
    presets: [
      { entry: amountEntry(limit.amount), text: `${moneyText(limit)}, como pediu` },
      ...less.map((amount) => ({ entry: amountEntry(amount), text: moneyText({ ...limit, amount }) })),
    ],
    entry: entry.limit,
    isTyped: entry.isTyped === true,
    field: (value) =>
      html`<div class="field">
        <label for="${name}">Outro valor, em ${limit.currency === 'BRL' ? 'reais' : limit.currency}</label>
        <input id="${name}" name="${name}" value="${value}" inputmode="decimal" autocomplete="off" />
      </div>`,
    currency: limit.currency,
  });
};

/** For which flights, first of all. */
const conditions = ({ constraints = {} }: AskedMandate): readonly string[] => [
  ...(constraints.from || constraints.to ? [] : ['Em qualquer voo']),
  ...constraintWords(constraints),
];

const FIELDS = ['limit', 'duration', 'unit', 'orders', 'from', 'to'] as const;

/** The fields as they were sent, for a page that asks once more before anything is granted. */
export const hiddenEntries = (entries: readonly MandateEntry[]): Html =>
  html`${entries.flatMap((entry, place) =>
    FIELDS.map((field) => html`<input type="hidden" name="${nameOf(field, place)}" value="${entry[field] ?? ''}" />`),
  )}`;

/** What a form says of each mandate: what is asked for, where it has no fields. */
export const entriesIn = (fields: Parameters, details: readonly AskedMandate[]): readonly MandateEntry[] =>
  details.map((detail, place) => {
    const asked = entryOf(detail);
    const { entry: limit = asked.limit, ...how } = amountEntered(fields, nameOf('limit', place)) ?? {};
    return {
      limit,
      ...how,
      duration: fields.entered(nameOf('duration', place)) ?? asked.duration,
      unit: fields.entered(nameOf('unit', place)) ?? asked.unit,
      orders: fields.entered(nameOf('orders', place)) ?? '',
      from: fields.entered(nameOf('from', place)) ?? '',
      to: fields.entered(nameOf('to', place)) ?? '',
    };
  });

/** The duration entered, in minutes; NaN: it cannot be read. */
export const minutesIn = ({ duration, unit }: MandateEntry): number => {
  const [perUnit] = (Object.hasOwn(UNITS, unit) && UNITS[unit]) || [NaN];
  return /^\d{1,5}$/.test(duration.trim()) ? Number(duration) * perUnit : NaN;
};

/** The mandates as these entries grant them; 'unreadable': no amount or duration; 'torn': two amounts in one; 'elsewhere': a city out of the choice. */
export const grantedBy = <Asked extends AskedMandate>(
  entries: readonly MandateEntry[],
  details: readonly Asked[],
  onSale: readonly Airport[] = [],
): readonly Asked[] | keyof typeof ENTRY_PROBLEMS => {
  if (entries.some(({ isTorn }) => isTorn)) return 'torn';
  const granted: Asked[] = [];
  for (const [place, detail] of details.entries()) {
    const entry = entries[place];
    const amount = amountIn(entry?.limit ?? '');
    const minutes = entry ? minutesIn(entry) : NaN;
    const isDuration = minutes >= 1 && minutes <= LONGEST;
    if (typeof amount !== 'number' || amount === 0 || !isDuration) return 'unreadable';
    const ends = narrowedTo(detail.constraints ?? {}, entry ?? {}, onSale);
    if (ends === null) return 'elsewhere';
    const constraints = { ...ends, ...(entry?.orders === '1' && { maxOrders: 1 }) };
    const demands = Object.keys(constraints).length > 0 && { constraints };
    granted.push({ ...detail, limit: money(amount, detail.limit.currency), minutes, ...demands });
  }
  return granted;
};

/** The ceiling entered; null: it is no amount. */
export const amountOf = (entry: MandateEntry | undefined, currency: Currency): Money | null => {
  const amount = entry?.isTorn ? null : amountIn(entry?.limit ?? '');
  return typeof amount === 'number' ? money(amount, currency) : null;
};

export const alertOf = (text: string): Html => html`<div class="alert" role="alert"><p>${text}</p></div>`;

export const ENTRY_PROBLEMS = {
  unreadable: alertOf(
    'Não entendemos o valor ou o prazo. Escreva um valor como 1.500,00, e um prazo de 1 minuto a 7 dias.',
  ),
  elsewhere: alertOf('Esta cidade não está entre as que você pode escolher. Escolha outra.'),
  torn: alertOf('Há um valor escrito e outra opção marcada. Confira o valor escrito, ou apague-o e marque a opção.'),
} as const;
export const TOO_MANY_MANDATES = alertOf(
  'Este agente já tem tantos mandatos abertos quantos pode ter. Encerre um deles na sua conta, ou espere que um termine.',
);
export const NO_ROOM_IN_CAP = alertOf(
  'O valor não cabe no limite total deste agente. Permita menos, ou aumente o limite.',
);

export const AGENTS_PAUSED = alertOf(
  'Você pausou todos os agentes, e nenhum mandato é aberto. Retome tudo na sua conta antes de permitir.',
);

type Demands = Required<Constraints>;

/** Each thing that a mandate may demand, in a traveller's words: one that is added has to be said here. */
const WORDS: { readonly [Name in keyof Demands]: (limit: Demands[Name]) => string } = {
  from: (codes) => `Só voos que saem de ${listed(codes)}`,
  to: (codes) => `Só voos para ${listed(codes)}`,
  maxPricePerSeat: (price) => `Até ${moneyText(price)} por assento`,
  orderTotal: ({ min, max }) =>
    min ? `Cada compra de ${moneyText(min)} a ${moneyText(max)}` : `Até ${moneyText(max)} por compra`,
  maxOrders: (most) => (most === 1 ? 'Uma única compra' : `No máximo ${most} compras`),
};

const wordsFor = <Name extends keyof Demands>(name: Name, limit: Demands[Name] | undefined): readonly string[] =>
  limit === undefined ? [] : [WORDS[name](limit)];

/** What a mandate demands of a purchase beside its ceiling, in a traveller's words; empty: nothing. */
export const constraintWords = (constraints: Constraints): readonly string[] =>
  // Its keys are those of the constraints, and no others.
  (Object.keys(WORDS) as (keyof Constraints)[]).flatMap((name) => wordsFor(name, constraints[name]));

const listed = (codes: readonly string[]): string =>
  new Intl.ListFormat('pt-BR', { type: 'disjunction' }).format(codes.map(airportText));

/** A city with the code of the airport, since the mandate allows this one alone; the code where nothing is known of it. */
const airportText = (code: string): string => {
  const city = cityNamed(code);
  return city === code ? code : `${city} (${code})`;
};
