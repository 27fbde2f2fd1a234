import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ordersProjection } from '#order';
import { categoryOf, type EncodedEvent } from '#events';
import type { Projection } from '#read-models';
import { projected } from '#testing';
import { PROJECTIONS } from './projections.js';
import { KNOWN_FORMS } from './testing/projection-forms.js';
import { STORED_EVENTS } from './testing/stored-events.js';

/** The documents of a projection after all events, as a store keeps them. */
const documentsOf = (projection: Projection<object>): unknown => {
  const events = STORED_EVENTS.flatMap(([stream, type, data]) => {
    const stored: EncodedEvent = { stream, type, data, metadata: { schemaVersion: 1 } };
    const reader = projection.from.find(({ category }) => category === categoryOf(stream));
    return reader ? [[stream, reader.decode(stored)] as const] : [];
  });
  return JSON.parse(JSON.stringify(projected(projection, ...events)));
};

/** @throws Error where the documents are not those that are known of this version, with what is to be done about it */
const checkForm = (projection: Projection<object>): void => {
  const { name, version } = projection;
  const actual = { version, documents: documentsOf(projection) };
  const known = KNOWN_FORMS[name];
  if (isDeepStrictEqual(actual, known)) return;
  const advice =
    known?.version === version
      ? `The documents of the projection ${name} are no longer those of version ${version}. Stores are full of the old ` +
        'form, and only a new version makes them anew: raise its version'
      : `Version ${version} of the projection ${name} is not known`;
  throw new Error(`${advice}, and then put this into libs/runtime/src/testing/projection-forms.ts:
  '${name}': ${JSON.stringify(actual)},`);
};

describe('the form of the documents (rule 24)', () => {
  it.each(PROJECTIONS)('of $name is that of its version', (projection) => {
    checkForm(projection);
  });

  it('may change in a new version only', () => {
    const changed = (version: number): Projection<object> => ({
      ...ordersProjection,
      version,
      evolve: (document, event, id) => ({
        ...(ordersProjection as Projection<object>).evolve(document, event, id),
        x: 1,
      }),
    });
    expect(() => checkForm(changed(ordersProjection.version))).toThrow('raise its version');
    expect(() => checkForm(changed(ordersProjection.version + 1))).toThrow('is not known');
  });

  it('is known of nothing but projections', () =>
    expect(Object.keys(KNOWN_FORMS).sort()).toEqual(PROJECTIONS.map(({ name }) => name).sort()));
});
