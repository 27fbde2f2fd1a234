import { readFileSync } from 'node:fs';
import { openCheckoutsProjection } from '#checkout/pure';
import { type AnyEvent, type EventReader, securityLog, trafficLog } from '#events';
import type { Actor } from '#kernel';
import { ordersProjection } from '#order/pure';
import type { Projection } from '#read-models';
import { projected } from '#testing';
import { PROJECTIONS } from './projections.js';
import { type Fullness, sampleOf } from './testing/sample.js';

/** One line for each event that changes documents, alone or after one that begins them: `[projection, version, events, documents]`. */
const FORMS = 'libs/runtime/src/testing/projection-forms.jsonl';

const NOW = '2026-03-01T12:00:00.000Z';
/** The stream that the samples of a category belong to: its id is that which they name. */
const STREAMS: Readonly<Record<string, string>> = {
  booking: 'booking-bookingId',
  days: 'days-on-sale',
  delegation: 'delegation-holder.clientId',
  flight: 'flight-flightId',
  mandate: 'mandate-mandateId',
  order: 'order-orderId',
  security: securityLog.streamOf(NOW),
  timetable: 'timetable-flightNumber',
  traffic: trafficLog.streamOf({ at: NOW, start: 'start' }),
};

const ACTORS: Readonly<Record<Fullness, Actor>> = {
  full: { holder: 'holder', clientId: 'clientId' },
  bare: { holder: null, clientId: null },
};

type Sample = readonly [stream: string, event: AnyEvent, actor: Actor];

const samplesOf = ({ category, schemas }: EventReader<AnyEvent>, fullness: Fullness): readonly Sample[] =>
  Object.entries(schemas).map(([type, schema]) => {
    const stream = STREAMS[category];
    if (stream === undefined) throw new Error(`name the stream of the samples of ${category}`);
    return [stream, { type, data: sampleOf(schema, fullness) }, ACTORS[fullness]];
  });

/** The documents of a projection after every event that changes any, as a store keeps them: one line each. */
const formsOf = (projection: Projection<object>): readonly string[] => {
  const samples = (fullness: Fullness) => projection.from.flatMap((reader) => samplesOf(reader, fullness));
  const after = (events: readonly Sample[]) => JSON.stringify(projected(projection, ...events));
  const openers = projection.from
    .map((reader) => samplesOf(reader, 'full').filter((sample) => after([sample]) !== '{}'))
    .find(({ length }) => length > 0);
  const beginnings = [[], ...(openers ?? []).map((opener) => [opener])];
  return (['full', 'bare'] as const).flatMap((fullness) =>
    samples(fullness).flatMap((sample) =>
      beginnings.flatMap((before) => {
        const documents = after([...before, sample]);
        if (documents === after(before)) return [];
        const names = [fullness, ...[...before, sample].map(([, { type }]) => type)].join(' ');
        return [`["${projection.name}",${projection.version},"${names}",${documents}]`];
      }),
    ),
  );
};

const KNOWN = readFileSync(FORMS, 'utf8').trimEnd().split('\n');
const keyOf = (form: string): string => JSON.stringify((JSON.parse(form) as unknown[]).slice(0, 3));
const knownOf = ({ name }: Pick<Projection<object>, 'name'>) => KNOWN.filter((line) => line.startsWith(`["${name}",`));

/** @throws Error where the documents are not those that are known of this version, with what is to be done about it */
const checkForm = (projection: Projection<object>): void => {
  const { name, version } = projection;
  const [actual, known] = [formsOf(projection), knownOf(projection)];
  if (actual.join('\n') === known.join('\n')) return;
  const keys = new Set(known.map(keyOf));
  const changed = actual.filter((form) => keys.has(keyOf(form)) && !known.includes(form));
  const advice =
    changed.length > 0
      ? `The documents of the projection ${name} are no longer those of version ${version}. Stores are full of the old ` +
        `form, and only a new version makes them anew: raise its version. Changed:\n${changed.join('\n')}\nThen`
      : `Not all is known of version ${version} of the projection ${name}:`;
  throw new Error(`${advice} put this in place of its lines in ${FORMS}:\n${actual.join('\n')}`);
};

describe('the form of the documents (rule 24)', () => {
  it.each(PROJECTIONS)('of $name is that of its version, after every type of event', (projection) => {
    checkForm(projection);
  });

  it('may change in a new version only', () => {
    const changed = (version: number): Projection<object> => ({
      ...ordersProjection,
      version,
      evolve: (document, event, id) => {
        const evolved = (ordersProjection as Projection<object>).evolve(document, event, id);
        return evolved && { ...evolved, x: 1 };
      },
    });
    expect(() => checkForm(changed(ordersProjection.version))).toThrow('raise its version');
    expect(() => checkForm(changed(ordersProjection.version + 1))).toThrow('Not all is known');
  });

  it('is asked for of an event type that is new', () => {
    const [bookings, orders] = openCheckoutsProjection.from;
    const schemas = { ...orders.schemas, PaymentDisputed: orders.schemas['PaymentChallenged'] };
    const projection = { ...openCheckoutsProjection, from: [bookings, { ...orders, schemas }] };
    const documentsOf: Projection<object>['documentsOf'] = (event) =>
      event.type === 'PaymentDisputed'
        ? ['bookingId']
        : (openCheckoutsProjection as Projection<object>).documentsOf(event);
    expect(() => checkForm({ ...projection, documentsOf } as Projection<object>)).toThrow('PaymentDisputed');
  });

  it('is known of nothing but projections', () =>
    expect(KNOWN.filter((line) => !PROJECTIONS.some(({ name }) => line.startsWith(`["${name}",`)))).toEqual([]));
});
