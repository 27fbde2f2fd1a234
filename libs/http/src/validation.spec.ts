import { DomainError } from '#kernel';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { ListQueryDto, pageOf } from './list.dto.js';
import { answers, bodyOf, eitherOf, Optional, queryOf, validated } from './validation.js';

const SIZE = answers('invalid_limit', 'deve ser um inteiro de 1 a 3');

class InnerDto {
  @IsInt(SIZE)
  @Min(1, SIZE)
  @Max(3, SIZE)
  readonly size: number;

  @IsString(answers('invalid_currency', 'deve ser um texto'))
  readonly unit: string;
}

class OuterDto {
  @Optional()
  @ArrayNotEmpty(answers('invalid_mandate_scope', 'não pode ser vazia'))
  @ArrayMaxSize(2, answers('invalid_mandate_scope', 'não pode ter mais de dois'))
  @IsIn(['a', 'b'], { ...answers('invalid_mandate_scope', 'deve ser a ou b'), each: true })
  readonly list?: readonly string[];

  @IsObject(answers('invalid_body', 'deve ser um objeto'))
  @ValidateNested()
  readonly inner: InnerDto;

  @Optional()
  @IsInt(answers('invalid_validity', 'deve ser um inteiro'))
  readonly minutes?: number;
}

const good = { inner: { size: 1, unit: 'cm' } };
const refusalOf = (work: () => unknown): unknown => {
  try {
    work();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, error.details];
  }
};
const fail = (): never => {
  throw new Error('it was looked at');
};
const judged = (value: object) => refusalOf(() => validated(OuterDto, value));

describe('a body', () => {
  it('passes with its optional fields left out, and loses what it does not know, at any depth', () => {
    const body: unknown = validated(OuterDto, { ...good, inner: { ...good.inner, more: 1 }, more: {} });
    expect(body).toEqual(good);
  });

  it.each([
    [{}, 'invalid_body', 'inner'],
    [{ inner: null }, 'invalid_body', 'inner'],
    [{ inner: [] }, 'invalid_body', 'inner'],
    [{ inner: 'x' }, 'invalid_body', 'inner'],
    [{ inner: { unit: 'cm' } }, 'invalid_limit', 'inner.size'],
    [{ inner: { size: '1', unit: 'cm' } }, 'invalid_limit', 'inner.size'],
    [{ inner: { size: 1.5, unit: 'cm' } }, 'invalid_limit', 'inner.size'],
    [{ inner: { size: 2 ** 53, unit: 'cm' } }, 'invalid_limit', 'inner.size'],
    [{ inner: { size: 1, unit: 7 } }, 'invalid_currency', 'inner.unit'],
    [{ ...good, minutes: null }, 'invalid_validity', 'minutes'],
    [{ ...good, list: null }, 'invalid_mandate_scope', 'list'],
    [{ ...good, list: [] }, 'invalid_mandate_scope', 'list'],
    [{ ...good, list: ['a', 'c'] }, 'invalid_mandate_scope', 'list'],
    [{ ...good, list: 'a' }, 'invalid_mandate_scope', 'list'],
  ])('%j answers %s of %s', (value, code, field) =>
    expect(judged(value)).toEqual([code, [{ field, message: expect.any(String) }]]),
  );

  it('with several fields wrong answers the code of the first in its own order, and lists all', () =>
    expect(judged({ minutes: 'x', inner: { unit: 1, size: 0 }, list: [] })).toEqual([
      'invalid_mandate_scope',
      [
        { field: 'list', message: 'não pode ser vazia' },
        { field: 'inner.size', message: 'deve ser um inteiro de 1 a 3' },
        { field: 'inner.unit', message: 'deve ser um texto' },
        { field: 'minutes', message: 'deve ser um inteiro' },
      ],
    ]));

  it('with a list in the place of an object has one breach, whatever stands in the list', () => {
    const list = Array.from({ length: 20_000 }, () => ({}));
    expect(judged({ inner: list })).toEqual(['invalid_body', [{ field: 'inner', message: 'deve ser um objeto' }]]);
  });

  it('is not looked at beyond what its DTO knows', () => {
    const never = Object.defineProperty({ size: 1, unit: 'cm' }, 'more', { enumerable: true, get: () => fail() });
    const given = { list: [{ a: never }], inner: never, minutes: { a: never }, more: never };
    expect(judged(given)).toMatchObject(['invalid_mandate_scope', [{ field: 'list' }, { field: 'minutes' }]]);
    expect(judged({ ...good, list: Array<string>(50_000).fill('a') })).toEqual([
      'invalid_mandate_scope',
      [{ field: 'list', message: 'não pode ter mais de dois' }],
    ]);
  });

  it('answers at most twenty breaches', () => {
    class WideDto {
      readonly field0: number;
    }
    const fields = Array.from({ length: 30 }, (_, at) => `field${at}`);
    for (const field of fields) IsInt(SIZE)(WideDto.prototype, field);
    expect(refusalOf(() => validated(WideDto, {}))).toMatchObject(['invalid_limit', { length: 20 }]);
  });

  it('that leaves a field out is told so before anything of its form, in whatever order its rules stand', () => {
    class FormDto {
      @IsInt(SIZE)
      @IsDefined(answers('invalid_body', 'é obrigatório'))
      readonly first: number;

      @IsDefined(answers('invalid_body', 'é obrigatório'))
      @IsInt(SIZE)
      readonly second: number;
    }
    for (const absent of [{}, { first: null, second: null }])
      expect(refusalOf(() => validated(FormDto, absent))).toEqual([
        'invalid_body',
        ['first', 'second'].map((field) => ({ field, message: 'é obrigatório' })),
      ]);
  });

  it('is one only if it is an object', () => {
    for (const value of [null, [], 'x', 1, true])
      expect(refusalOf(() => bodyOf(OuterDto).transform(value, { type: 'body' }))).toEqual(['invalid_body', undefined]);
  });

  it('that is missing answers what its operation says', () => {
    const missing = (pipe: ReturnType<typeof bodyOf>) => refusalOf(() => pipe.transform(undefined, { type: 'body' }));
    expect(missing(bodyOf(OuterDto))).toEqual(['invalid_body', undefined]);
    expect(missing(bodyOf(OuterDto, 'invalid_change'))).toEqual(['invalid_change', undefined]);
    expect(missing(bodyOf(ListQueryDto, 'allowed'))).toBe('accepted');
  });
});

describe('what is wrong with a value', () => {
  it('names what it may be as people say it', () => {
    expect([eitherOf(['BRL', 'USD', 'EUR']), eitherOf(['a', 'b']), eitherOf(['a'])]).toEqual([
      'BRL, USD ou EUR',
      'a ou b',
      'a',
    ]);
  });
});

describe('the query of a list', () => {
  const page = (query: object) => {
    const pipe = queryOf(ListQueryDto);
    return refusalOf(() => pipe.transform(query, { type: 'query' }));
  };

  it.each(['0', '501', '-1', '1.5', '1e2', '', ' 1', '01', 'x'])('refuses the limit %j', (limit) =>
    expect(page({ limit })).toEqual(['invalid_query', [{ field: 'limit', message: expect.any(String) }]]),
  );
  it.each(['1', '9', '10', '99', '100', '499', '500'])('takes the limit %s', (limit) =>
    expect(pageOf(validated(ListQueryDto, { limit })).limit).toBe(Number(limit)),
  );
  it.each(['limit', 'cursor'])('refuses %s given twice', (name) =>
    expect(page({ [name]: ['1', '1'] })).toEqual(['invalid_query', [{ field: name, message: expect.any(String) }]]),
  );
  it('is a hundred items from the beginning where it says nothing', () =>
    expect(pageOf({})).toEqual({ limit: 100, cursor: undefined }));
});
