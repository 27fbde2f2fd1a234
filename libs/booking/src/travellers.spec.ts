import { validated } from '#http';
import { DomainError } from '#kernel';
import { FixedClock, NOW } from '#testing';
import { MemoryDocuments } from '../../documents/src/testing/index.js';
import { CreateBookingDto } from './booking.dto.js';
import { checkTravellers, type Traveller, TRAVELLERS, Travellers } from './travellers.js';

const ANA = { holder: 'ana', clientId: 'piloto' };
const CONCEICAO = { givenName: 'Conceição', familyName: 'dos Santos' };

/** Where a refusal says that something is wrong; null: nothing is. */
const placesOf = (work: () => unknown): readonly string[] | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('invalid_travellers');
    return (error.details as readonly { readonly field: string }[]).map(({ field }) => field);
  }
};

describe('who flies, as it is sent', () => {
  const placesIn = (...travellers: readonly unknown[]) => placesOf(() => validated(CreateBookingDto, { travellers }));

  it.each([
    'Ana',
    'João Guimarães Rosa',
    "D'Ávila e Silva-Prado",
    'Zoé',
    'Ñandú',
    'É',
    '李',
    'A\u0303o'.repeat(30),
    'x'.repeat(100),
    '\u{20000}'.repeat(100),
  ])('may be called %s', (name) => expect(placesIn({ givenName: name, familyName: name })).toBeNull());

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['what is too long', 'x'.repeat(101)],
    ['a line feed', 'Ana\nSouza'],
    ['NUL', 'Ana\u0000'],
    ['bidi', 'Ana\u202eazuoS'],
    ['an isolate', '\u2066Ana\u2069'],
    ['what is not seen', 'A\u200bna'],
    ['a soft hyphen', 'A\u00adna'],
    ['a filler', '\u3164'],
    ['no letter', '- -'],
    ['half a character', 'Ana\ud800'],
    ['piled marks', `Z${'\u0301'.repeat(4)}`],
    ['no text', 7],
    ['null', null],
  ])('may not be called %s', (_, familyName) => {
    expect(placesIn(CONCEICAO, { ...CONCEICAO, familyName })).toEqual(['travellers.1.familyName']);
    expect(placesIn({ givenName: familyName, familyName: 'Souza' })).toEqual(['travellers.0.givenName']);
  });

  it.each(['1990-02-29', '1899-12-31', '2100-01-01', '1990-5-17', '17/05/1990', '1990-05-17T00:00:00Z', 1990, null])(
    'is not born on %p',
    (birthDate) => expect(placesIn({ ...CONCEICAO, birthDate })).toEqual(['travellers.0.birthDate']),
  );

  it('has a document of a type and a number', () => {
    const having = (document: unknown) => placesIn({ ...CONCEICAO, document });
    expect(having({ type: 'CPF', number: '123.456.789-09' })).toBeNull();
    expect(having({ type: 'CPF' })).toEqual(['travellers.0.document.number']);
    expect(having({ type: '\u200b', number: 'x'.repeat(41) })).toEqual([
      'travellers.0.document.type',
      'travellers.0.document.number',
    ]);
    for (const wrong of ['CPF', null, 7, []]) expect(having(wrong)).toEqual(['travellers.0.document']);
  });

  it('is a list of one to nine objects', () => {
    for (const wrong of [{}, 'Ana', null, [], [null], ['Ana'], [[]], Array(10).fill(CONCEICAO)])
      expect(placesOf(() => validated(CreateBookingDto, { travellers: wrong }))).not.toBeNull();
    expect(placesIn(...Array<unknown>(9).fill(CONCEICAO))).toBeNull();
  });

  it('can be reached in ways that are looked at, too', () => {
    const codeOf = (contact: unknown) => {
      try {
        validated(CreateBookingDto, { contact });
        return null;
      } catch (error) {
        return (error as DomainError).code;
      }
    };
    const good = [{}, { email: 'ana@example.com' }, { phone: '+55 (11) 91234-5678' }, { declined: true }];
    const email = ['ana', 'ana@', 'a na@b', 'ana@\u202eb.example', `${'x'.repeat(251)}@b.c`].map((one) => ({
      email: one,
    }));
    const phone = ['190', 'onze', '1'.repeat(26)].map((one) => ({ phone: one }));
    for (const contact of good) expect(codeOf(contact)).toBeNull();
    for (const contact of [...email, ...phone, { declined: 'sim' }, [], null, 'ana@example.com'])
      expect(codeOf(contact)).toBe('invalid_body');
  });
});

describe('who flies together', () => {
  const born = (birthDate?: string): Traveller => ({ ...CONCEICAO, ...(birthDate !== undefined && { birthDate }) });
  const checked = (departs: string | null, ...dates: readonly (string | undefined)[]) =>
    placesOf(() => checkTravellers({ travellers: dates.map(born) }, dates.length, { now: NOW, departs }));
  const at = (place: number) => [`travellers.${place}.birthDate`];

  it('is as many as there are passengers, if anybody is named', () => {
    expect(placesOf(() => checkTravellers({}, 3, { now: NOW, departs: null }))).toBeNull();
    expect(placesOf(() => checkTravellers({ travellers: [born()] }, 2, { now: NOW, departs: null }))).toEqual([
      'travellers',
    ]);
  });

  it('has an adult for each that is not two years old on the day of the flight', () => {
    expect(checked('2026-06-10', '2024-06-11')).toEqual(at(0));
    expect(checked('2026-06-11', '2024-06-11')).toBeNull();
    expect(checked('2026-06-10', '2024-06-11', undefined)).toBeNull();
    expect(checked('2026-06-10', '2024-06-11', '2008-06-10')).toBeNull();
    expect(checked('2026-06-10', '2024-06-11', '2008-06-11')).toEqual(at(0));
    expect(checked('2026-06-10', undefined, '2025-01-01', '2025-01-01')).toEqual(at(2));
    expect(checked('2026-02-28', '2024-02-29')).toEqual(at(0));
    expect(checked('2026-03-01', '2024-02-29')).toBeNull();
  });

  it('is looked at on the day in Brasília where the flight has none, and is born by then', () => {
    const days = (now: string, birthDate: string) =>
      placesOf(() => checkTravellers({ travellers: [born(birthDate)] }, 1, { now, departs: null }));
    expect(days('2026-06-11T02:59:59.999Z', '2024-06-11')).toEqual(at(0));
    expect(days('2026-06-11T03:00:00.000Z', '2024-06-11')).toBeNull();
    expect(checked('2027-01-01', '2026-12-31', undefined)).toEqual(at(0));
  });
});

describe('what is kept of who flies', () => {
  it('is read by the agent that said it, changed member by member, and forgotten with its traveller', async () => {
    const documents = new MemoryDocuments(new FixedClock());
    await documents.prepare(TRAVELLERS);
    const travellers = new Travellers(documents);
    const contact = { declined: true };
    await travellers.keep('a', ANA, {});
    expect(await travellers.of({ id: 'a' }, ANA)).toEqual({});
    await travellers.keep('a', ANA, { travellers: [CONCEICAO] });
    await travellers.keep('a', ANA, { contact });
    expect(await travellers.of({ id: 'a' }, ANA)).toEqual({ travellers: [CONCEICAO] });
    await travellers.change('a', ANA, { contact });
    await travellers.change('b', ANA, { contact });
    expect(await travellers.of({ id: 'a' }, ANA)).toEqual({ travellers: [CONCEICAO], contact });
    for (const other of [
      { ...ANA, clientId: 'outro' },
      { ...ANA, holder: 'bruno' },
    ])
      expect((await travellers.ofEach([{ id: 'a' }, { id: 'b' }], other)).size).toBe(0);
    expect([await travellers.forgetAll('bruno'), await travellers.forgetAll('ana')]).toEqual([0, 2]);
    expect((await travellers.ofEach([{ id: 'a' }, { id: 'b' }], ANA)).size).toBe(0);
  });
});
