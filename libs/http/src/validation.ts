import type { PipeTransform } from '@nestjs/common';
import { DomainError, type ErrorCode } from '#kernel';
import { plainToInstance } from 'class-transformer';
import { ValidateIf, validateSync, type ValidationError, type ValidationOptions } from 'class-validator';

/** Options of a class-validator rule: the error code its breach answers, and what is wrong, in Portuguese. */
export const answers = (code: ErrorCode, message: string): ValidationOptions => ({ context: { code }, message });

/** A field that may be absent. Unlike `@IsOptional` it does not let null pass. */
export const Optional = () => ValidateIf((_, value) => value !== undefined);

type Dto<Body extends object> = new () => Body;

/** One breach: the field's path and its rule's code and text. */
interface Breach {
  readonly field: string;
  readonly code: ErrorCode;
  readonly message: string;
}

const breachesOf = (errors: readonly ValidationError[], path = ''): readonly Breach[] =>
  errors.flatMap((error) => {
    const field = `${path}${error.property}`;
    if (error.children?.length) return breachesOf(error.children, `${field}.`);
    const constraints = Object.entries(error.constraints ?? {});
    // Absence and null are judged before form.
    const [rule, message] = constraints.find(([name]) => name === 'isDefined') ?? constraints[0] ?? ['', ''];
    const context = error.contexts?.[rule] as { code?: ErrorCode } | undefined;
    return [{ field, code: context?.code ?? 'invalid_body', message }];
  });

/**
 * An untrusted object as a checked DTO; unknown members are left out.
 *
 * @throws DomainError with the code of the first field in the DTO's order; `details` lists all fields that are wrong.
 */
export const validated = <Body extends object>(dto: Dto<Body>, value: object): Body => {
  const body = plainToInstance(dto, value, { exposeUnsetFields: false });
  const breaches = breachesOf(validateSync(body, { whitelist: true, forbidUnknownValues: false }));
  const [first] = breaches;
  if (!first) return body;
  throw new DomainError(
    first.code,
    breaches.map(({ field, message }) => ({ field, message })),
  );
};

/**
 * A JSON body as a DTO. `whenMissing`: the code of a request without one, or 'allowed' for an optional body, which then
 * reads as an empty object.
 */
export const bodyOf = <Body extends object>(
  dto: Dto<Body>,
  whenMissing: ErrorCode | 'allowed' = 'invalid_body',
): PipeTransform => ({
  transform: (value: unknown): Body => {
    if (value === undefined && whenMissing !== 'allowed') throw new DomainError(whenMissing);
    const given = value === undefined ? {} : value;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new DomainError('invalid_body');
    return validated(dto, given);
  },
});

/** The query string as a DTO: every parameter is a string; a repeated one arrives as an array and breaks its rule. */
export const queryOf = <Body extends object>(dto: Dto<Body>): PipeTransform => ({
  transform: (value: unknown): Body => validated(dto, value as object),
});
