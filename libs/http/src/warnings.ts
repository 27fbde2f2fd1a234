import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { DomainError } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Form } from './validation.js';
import { MOST_UNKNOWN, unknownIn, type UnknownMember } from './unknown-members.js';

/** Where in a request a name stands: its JSON body, its query, or the arguments of a tool. */
const PLACES = ['body', 'query', 'arguments'] as const;
type Place = (typeof PLACES)[number];

/** A name that the request has and its operation does not know (docs/decisions.md, Unknown members). */
export interface Unknown extends UnknownMember {
  readonly in: Place;
}

/** One of the `warnings` of an answer. */
@ApiSchema({ name: 'Warning' })
export class WarningView implements Unknown {
  @ApiProperty({ enum: PLACES, description: 'Onde está: no corpo, na consulta ou nos argumentos da ferramenta.' })
  readonly in: Place;

  @ApiProperty({ maxLength: 64, description: 'O nome que não é conhecido; nunca o valor.', example: 'passangers' })
  readonly field: string;

  @ApiPropertyOptional({ description: 'O nome conhecido mais próximo, se houver.', example: 'passengers' })
  readonly suggestion?: string;

  @ApiProperty({ description: 'O mesmo para pessoas.' })
  readonly message: string;
}

/** The schema of `warnings`, with that of one of them. */
export const warningsSchema = <One extends object>(items: One) => ({
  type: 'array' as const,
  minItems: 1,
  maxItems: MOST_UNKNOWN,
  items,
  description: 'Nomes desconhecidos da requisição, que foram ignorados. Ausente quando não há nenhum.',
});

/** A part of a request, and the form that its operation gives it. */
export interface RequestPart {
  readonly in: Place;
  readonly form: Form;
  readonly value: unknown;
}

/** Notes the unknown names of these parts. @throws DomainError `unknown_member` in strict handling or for a closed form */
export const noteUnknown = (reply: FastifyReply, ...parts: readonly RequestPart[]): void => {
  const { request } = reply;
  const found = parts.flatMap(({ in: place, form, value }) =>
    unknownIn(form, value).map((one) => ({ in: place, ...one })),
  );
  request.unknownMembers = [...(request.unknownMembers ?? []), ...found].slice(0, MOST_UNKNOWN);
  const isStrict = prefersStrict(request);
  if (isStrict) void reply.header('preference-applied', 'handling=strict');
  if ((isStrict && hasUnknown(request)) || found.some(({ isRefused }) => isRefused))
    throw new DomainError('unknown_member', viewsOf(request, 'é desconhecido'));
};

/** Whether the answer to a request carries warnings, if it can. */
export const hasUnknown = ({ unknownMembers }: FastifyRequest): boolean => (unknownMembers ?? []).length > 0;

/** An answer with the warnings of its request, where it has any: said for this request alone, and never kept. */
export const withWarnings = <Answer extends object>(answer: Answer, request: FastifyRequest): Answer =>
  hasUnknown(request) ? { ...answer, warnings: viewsOf(request, 'é desconhecido e foi ignorado') } : answer;

const viewsOf = ({ unknownMembers }: FastifyRequest, text: string): readonly WarningView[] =>
  (unknownMembers ?? []).map(({ isRefused: _, ...one }) => ({
    ...one,
    message: one.suggestion === undefined ? text : `${text}; talvez seja ${one.suggestion}`,
  }));

/** Whether a request wants what is unknown to be refused: `Prefer: handling=strict` (RFC 7240 §4.4). The first counts. */
export const prefersStrict = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => {
  if (headers.prefer === undefined) return false;
  const given = [headers.prefer].flat().join(',');
  // What is quoted is one word, whatever it holds.
  const preferences = given.replace(/"([^"]*)"/g, (_, text: string) => text.replace(/\W/g, '-')).split(',');
  const handling = preferences.map((one) => HANDLING.exec(one)).find((match) => match !== null);
  return handling?.[1]?.toLowerCase() === 'strict';
};

const HANDLING = /^\s*handling\s*=\s*([\w-]+)\s*(?:;|$)/i;
