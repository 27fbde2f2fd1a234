import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO8601, Matches } from 'class-validator';
import { type Instant, instantOf } from '#kernel';
import { answers, Optional } from './validation.js';

/** The form of RFC 3339 §5.6. A rule of its own checks the calendar: `Date` takes 30 February for 2 March. */
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const anInstant = answers(
  'invalid_query',
  'deve ser uma data e hora RFC 3339, como 2026-01-31T12:00:00Z, informada uma única vez',
);

/** A parameter of a query that may name an instant, with its description in Portuguese. `asInstant` reads it. */
export const IsInstant = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ format: 'date-time', description }),
    Optional(),
    Matches(INSTANT, anInstant),
    IsISO8601({ strict: true }, anInstant),
  );

/** Beyond these (ms) an offset leads to years without exactly four digits, which sort differently as strings. */
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 31)];

/** The instant that a parameter names; between two milliseconds the later one, so that comparisons keep its side. */
export const asInstant = (text: string | undefined): Instant | undefined => {
  if (text === undefined) return undefined;
  const isBetween = /\.\d{3}\d*[1-9]/.test(text);
  return instantOf(Math.min(Math.max(Date.parse(text) + Number(isBetween), FIRST), LAST));
};

/** Whether one instant of RFC 3339 is before another, to the last of their digits. */
export const isBefore = (one: string, other: string): boolean => {
  const [first, second] = [Date.parse(one), Date.parse(other)];
  return first === second ? beyondMilliseconds(one) < beyondMilliseconds(other) : first < second;
};

const beyondMilliseconds = (text: string): string => (/\.\d{3}(\d+)/.exec(text)?.[1] ?? '').padEnd(6, '0');
