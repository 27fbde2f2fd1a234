import { IsInt, IsObject, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { anyText, openForAll } from '#testing';
import { startThingsApi } from './testing/things-api.js';
import { Closed, type Form, formOf, ListOf, Optional, validated } from './validation.js';
import { prefersStrict, unknownIn } from './warnings.js';

class CardDto {
  @IsString()
  readonly cardNumber: string;
}

class TripDto {
  @IsInt()
  readonly passengers: number;

  @Optional()
  @IsObject()
  @ValidateNested()
  readonly payment?: CardDto;
}

class LongTripDto extends TripDto {
  @Optional()
  @IsString()
  readonly back?: string;
}

class PartyDto {
  @ListOf(CardDto)
  @ValidateNested({ each: true })
  readonly cards: readonly CardDto[];
}

/** A form that counts how often its names were compared with another one. */
class CountingForm extends Map<string, Form | null> {
  looks = 0;

  override keys() {
    this.looks += 1;
    return super.keys();
  }
}

const unknown = (value: unknown) => unknownIn(formOf(TripDto), value);
const fields = (value: unknown) => unknown(value).map(({ field }) => field);

@Closed()
class ClosedDto {
  @IsInt()
  readonly most: number;
}

class GrantDto {
  @IsObject()
  @ValidateNested()
  readonly bounds: ClosedDto;
}

describe('what a form does not know', () => {
  it('is refused where its form is closed, and named in any case', () =>
    expect(unknownIn(formOf(GrantDto), { bounds: { mots: 1 }, bound: 1 })).toEqual([
      { field: 'bounds.mots', suggestion: 'bounds.most', isRefused: true },
      { field: 'bound', suggestion: 'bounds' },
    ]));

  it('is refused where its form is closed also behind twenty names that are ignored', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`x${place}`, 1]));
    const found = unknownIn(formOf(GrantDto), { ...many, bounds: { mots: 1 } });
    expect([found.length, found[0]?.isRefused]).toEqual([20, true]);
  });

  it('is named by its path, with what was probably meant', () => {
    expect(unknown({ passengers: 1, passangers: 2, x: {}, payment: { cardNumbr: '4', cardNumber: '4' } })).toEqual([
      { field: 'passangers', suggestion: 'passengers' },
      { field: 'x' },
      { field: 'payment.cardNumbr', suggestion: 'payment.cardNumber' },
    ]);
  });

  it('is nothing where all is known, also what the form inherits', () => {
    expect(unknown({ passengers: 1, payment: { cardNumber: '4' } })).toEqual([]);
    expect(unknownIn(formOf(LongTripDto), { passengers: 1, back: 'x', bak: 'x' })).toEqual([
      { field: 'bak', suggestion: 'back' },
    ]);
  });

  it('is named with its place in a list', () => {
    const found = unknownIn(formOf(PartyDto), { cards: [{ cardNumber: '1' }, 1, [{ x: 1 }], { cardNumbr: '1' }] });
    expect(found).toEqual([{ field: 'cards.3.cardNumbr', suggestion: 'cards.3.cardNumber' }]);
    expect(unknownIn(formOf(PartyDto), { cards: { cardNumbr: '1' } })).toHaveLength(1);
  });

  it('is nothing of what is no object, and what stands behind an unknown name is not read', () => {
    for (const value of [undefined, null, 1, 'text', [{ x: 1 }]]) expect(unknown(value)).toEqual([]);
    expect(fields({ payment: [{ x: 1 }] })).toEqual([]);
    expect(fields({ x: { y: { z: 1 } } })).toEqual(['x']);
  });

  it('never names what no body can have', () => {
    const value: unknown = JSON.parse('{ "__proto__": { "x": 1 }, "constructor": 1, "toString": 1 }');
    expect(fields(value)).toEqual(['toString']);
  });

  it('is told up to twenty names, of 64 characters each', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`${i}-${'x'.repeat(200)}`, i]));
    expect(fields(many)).toHaveLength(20);
    expect(fields(many)[3]).toBe(`3-${'x'.repeat(59)}...`);
    expect(fields({ ['y'.repeat(64)]: 1 })).toEqual(['y'.repeat(64)]);
  });

  it('is looked at no further than it is told, however many forms have unknown names', () => {
    const counting = new CountingForm([['passengers', null]]);
    const forms = Array.from({ length: 5 }, (_, at) => `part${at}`);
    const names = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`pasengers${at}`, 1]));
    const found = unknownIn(
      new Map(forms.map((name) => [name, counting])),
      Object.fromEntries(forms.map((name) => [name, names])),
    );
    expect([found.length, counting.looks]).toEqual([20, 20]);
  });

  it('hides the digits of what may be a card', () => {
    expect(fields({ '4242 4242 4242 4242': 1, 'card=4242-4242-4242': 1, 'ano2026-11-22': 1 })).toEqual([
      '**** **** **** ****',
      'card=****-****-****',
      'ano2026-11-22',
    ]);
    expect(fields({ '４２４２４２４２４２４２４２４２': 1 })).toEqual(['*'.repeat(16)]);
    expect(fields({ [`${'x'.repeat(55)}4242424242424242`]: 1 })).toEqual([`${'x'.repeat(55)}******...`]);
  });

  it('is shown as visible ASCII, whatever it is', () => {
    expect(fields({ 'a\u0000\n\u001b[2J': 1, 'preço\u202e': 1, '\ud800': 1 })).toEqual([
      'a\\u0000\\u000a\\u001b[2J',
      'pre\\u00e7o\\u202e',
      '\\ud800',
    ]);
    fc.assert(
      fc.property(fc.dictionary(anyText(), fc.constant(1)), (value) => {
        for (const field of fields(value)) expect(field).toMatch(/^[\x20-\x7e]{0,64}$/);
      }),
    );
  });

  it('is just what is left out when the form is checked', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('passengers', 'payment', 'x', 'back'), fc.constant(1)), (given) => {
        const value = { ...given, passengers: 1, payment: { cardNumber: '4', y: 1 } };
        const left = validated(TripDto, value);
        const dropped = Object.keys(value).filter((name) => !Object.hasOwn(left, name));
        expect(fields(value)).toEqual([...dropped, 'payment.y'].sort(byPlaceIn(value)));
      }),
    ));
});

/** As the object has them; what is inside `payment` stands in its place. */
const byPlaceIn = (value: object) => {
  const names = Object.keys(value);
  const place = (field: string): number => names.indexOf(field.split('.')[0] ?? '');
  return (one: string, other: string) => place(one) - place(other);
};

describe('a preference for strict handling (RFC 7240 §4.4)', () => {
  it.each([
    'handling=strict',
    'Handling = Strict',
    'respond-async, handling=strict',
    'handling="strict"',
    'handling=strict; foo="a, b"',
    'foo="handling=lenient, x", handling=strict',
    'handling=strict, handling=lenient',
  ])('is there in %j', (prefer) => expect(prefersStrict({ headers: { prefer } })).toBe(true));

  it.each([
    undefined,
    '',
    'handling',
    'handling=lenient',
    'handling=lenient, handling=strict',
    'handling=strictly',
    'x-handling=strict',
    'foo="a, handling=strict, b"',
    'foo="',
  ])('is not in %j', (prefer) => expect(prefersStrict({ headers: { prefer } })).toBe(false));
});

const api = openForAll(() => startThingsApi());

const TOKEN = { authorization: 'Bearer booking:write receipt:read' };
const JSON_BODY = { ...TOKEN, 'content-type': 'application/json' };
const STRICT = { prefer: 'handling=strict' };
const IGNORED = 'é desconhecido e foi ignorado';

describe('an answer', () => {
  it('names what its operation does not know, in the query and in the body', async () => {
    const { status, body } = await api.call('POST', '/api/v1/things?siz=1', JSON_BODY, '{"size":1,"sizes":2}');
    expect([status, body]).toEqual([
      201,
      {
        body: { size: 1 },
        holder: 'ana',
        warnings: [
          { in: 'query', field: 'siz', message: IGNORED },
          { in: 'body', field: 'sizes', suggestion: 'size', message: `${IGNORED}; talvez seja size` },
        ],
      },
    ]);
  });

  it('has no warnings where all is known', async () => {
    const { body } = await api.call('POST', '/api/v1/things', JSON_BODY, '{"size":1}');
    expect(body).toEqual({ body: { size: 1 }, holder: 'ana' });
  });

  it('that warns is kept by nobody, and has no tag', async () => {
    const plain = await api.call('GET', '/api/v1/things');
    const tag = plain.headers.get('etag') ?? '';
    expect([tag, plain.headers.get('cache-control'), plain.headers.get('vary')]).toEqual([
      expect.stringMatching(/^"/),
      'no-cache',
      'Prefer',
    ]);
    const warned = await api.call('GET', '/api/v1/things?x=1', { 'if-none-match': tag });
    expect([warned.status, warned.headers.get('etag'), warned.headers.get('cache-control')]).toEqual([
      200,
      null,
      'no-store',
    ]);
    expect(warned.body).toEqual({ items: ['one'], warnings: [{ in: 'query', field: 'x', message: IGNORED }] });
  });
});

describe('a request that prefers strict handling', () => {
  it('is refused for what is unknown, before its members are judged', async () => {
    const sent = { ...JSON_BODY, ...STRICT };
    const { status, headers, body } = await api.call('POST', '/api/v1/things?x=1', sent, '{"sizes":2}');
    expect([status, headers.get('preference-applied'), body]).toEqual([
      422,
      'handling=strict',
      {
        error: 'unknown_member',
        doc_url: expect.stringMatching(/\/docs\/erros\/unknown_member$/),
        message: 'A requisição tem membros ou parâmetros desconhecidos.',
        details: [
          { in: 'query', field: 'x', message: 'é desconhecido' },
          { in: 'body', field: 'sizes', suggestion: 'size', message: 'é desconhecido; talvez seja size' },
        ],
        requestId: expect.any(String),
      },
    ]);
  });

  it('is answered as any other where all is known, and told that it was heard', async () => {
    const { status, headers, body } = await api.call('GET', '/api/v1/things', STRICT);
    expect([status, headers.get('preference-applied'), body]).toEqual([200, 'handling=strict', { items: ['one'] }]);
    const { headers: lenient } = await api.call('GET', '/api/v1/things');
    expect(lenient.get('preference-applied')).toBeNull();
  });

  it('is asked for its token first', async () => {
    const { status } = await api.call('POST', '/api/v1/things?x=1', { ...STRICT, 'content-type': 'application/json' });
    expect(status).toBe(401);
  });
});
