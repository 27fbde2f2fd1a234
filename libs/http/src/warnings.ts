import { ApiExtension, ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { DomainError, type ErrorCode, nearestName } from '#kernel';
import type { FastifyReply, FastifyRequest, preSerializationHookHandler } from 'fastify';
import { DROPPED_KEYS } from './body-parsers.js';
import { bodyOf, type Dto, type Form, formOf, isClosed, isList, NO_FORM, queryOf } from './validation.js';
import { applyDecorators, Body, type CanActivate, type ExecutionContext, Injectable, Query } from '@nestjs/common';
import { API } from './base-urls.js';
import { configOf, configureRoute } from './request.js';

export interface UnknownMember {
  /** As it is shown: its path, members joined by dots. */
  readonly field: string;
  /** The path that was probably meant, where one is near. */
  readonly suggestion?: string;
  /** Its form is closed: it is refused, and not ignored. */
  readonly isRefused?: true;
}

/** How many are named, and how many characters of each (docs/decisions.md, Unknown members). */
export const MOST_UNKNOWN = 20;
const LONGEST = 64;
/** A name with so many digits may be the number of a card. */
const CARD_DIGITS = 12;

/** The names at any depth that a form does not know: at most 20, closed forms first. Nothing behind an unknown name is read. */
export const unknownIn = (form: Form, value: unknown): readonly UnknownMember[] => {
  const found = strangersIn(form, value, '');
  if (found.length <= MOST_UNKNOWN) return found.map(unknownMember);
  const [refused, ignored] = [found.filter((one) => isClosed(one.form)), found.filter((one) => !isClosed(one.form))];
  return [...refused, ...ignored].slice(0, MOST_UNKNOWN).map(unknownMember);
};

/** A name that a form does not know, and the path to the object that has it. */
interface Stranger {
  readonly form: Form;
  readonly name: string;
  readonly path: string;
}

/** Those of an object, at most 20 of each form. */
const strangersIn = (form: Form, value: unknown, path: string): readonly Stranger[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const found: Stranger[] = [];
  let own = 0;
  for (const [name, member] of Object.entries(value)) {
    const inner = form.get(name);
    if (inner && isList(inner) && Array.isArray(member))
      for (const [place, one] of member.slice(0, MOST_UNKNOWN).entries())
        found.push(...strangersIn(inner, one, `${path}${name}.${place}.`));
    else if (inner) found.push(...strangersIn(inner, member, `${path}${name}.`));
    else if (inner === undefined && own < MOST_UNKNOWN && !DROPPED_KEYS.has(name)) {
      found.push({ form, name, path });
      own += 1;
    }
  }
  return found;
};

const unknownMember = ({ form, name, path }: Stranger): UnknownMember => {
  const suggestion = nearestName(name, form.keys());
  return {
    field: shown(`${path}${name}`),
    ...(suggestion !== null && { suggestion: `${path}${suggestion}` }),
    ...(isClosed(form) && { isRefused: true }),
  };
};

/** A name that a stranger chose, as it may stand anywhere: visible ASCII, escaped as JSON would, without digits of a card. */
const shown = (name: string): string => {
  const isCard = (name.match(/\p{Nd}/gu) ?? []).length >= CARD_DIGITS;
  const text = isCard ? name.replace(/\p{Nd}/gu, '*') : name;
  const safe = text.slice(0, LONGEST + 1).replace(/[^\x20-\x7e]/g, escaped);
  return safe.length <= LONGEST ? safe : `${safe.slice(0, LONGEST - 3)}...`;
};

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Where in a request a name stands: its JSON body, its query, or the arguments of a tool. */
const PLACES = ['body', 'query', 'arguments'] as const;
type Place = (typeof PLACES)[number];

/** A name that the request has and its operation does not know (docs/decisions.md, Unknown members). */
export interface Unknown extends UnknownMember {
  readonly in: Place;
}

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

export const warningsSchema = <One extends object>(items: One) => ({
  type: 'array' as const,
  minItems: 1,
  maxItems: MOST_UNKNOWN,
  items,
  description: 'Nomes desconhecidos da requisição, que foram ignorados. Ausente quando não há nenhum.',
});

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

declare module 'fastify' {
  interface FastifyRequest {
    /** What it has and its operation does not know, at most 20; null: nobody has looked yet. */
    unknownMembers: readonly Unknown[] | null;
  }
  interface FastifyContextConfig {
    isWithoutWarnings?: boolean;
  }
}

const BODY = 'alcada:body';
const QUERY = 'alcada:query';

/** The mark in OpenAPI of an operation that answers without `warnings`. */
export const WITHOUT_WARNINGS = 'x-without-warnings';

const marked = (target: object, method: string | symbol | undefined, key: string, dto: Dto<object>): void => {
  const handler: unknown = method === undefined ? undefined : Reflect.get(target, method);
  if (typeof handler === 'function') Reflect.defineMetadata(key, dto, handler);
};

/** The JSON body as a DTO. `whenMissing`: the code where there is none, or 'allowed' to take an empty object. */
export const JsonBody =
  <Form extends object>(dto: Dto<Form>, whenMissing?: ErrorCode | 'allowed'): ParameterDecorator =>
  (target, method, index) => {
    Body(bodyOf(dto, whenMissing))(target, method, index);
    marked(target, method, BODY, dto);
  };

/** Parameter of a controller: the body as it was sent, which the operation judges by itself; `dto` has its names. */
export const SentBody =
  (dto: Dto<object>): ParameterDecorator =>
  (target, method, index) => {
    Body()(target, method, index);
    marked(target, method, BODY, dto);
  };

/** Parameter of a controller: the query as a DTO. Parameters that the DTO does not have are warned of, or refused. */
export const QueryString =
  <Form extends object>(dto: Dto<Form>): ParameterDecorator =>
  (target, method, index) => {
    Query(queryOf(dto))(target, method, index);
    marked(target, method, QUERY, dto);
  };

/** An operation that answers without warnings, or has them in a place of its own. */
export const WithoutWarnings = () =>
  applyDecorators(configureRoute({ isWithoutWarnings: true }), ApiExtension(WITHOUT_WARNINGS, true));

/** Warns of unknown names, or refuses them, before members are judged. As an interceptor it would cost more than the body does. */
@Injectable()
export class WarningsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isOfApi(request)) return true;
    const reply = http.getResponse<FastifyReply>();
    const handler = context.getHandler();
    const form = (key: string) => {
      const dto = Reflect.getMetadata(key, handler) as Dto<object> | undefined;
      return dto ? formOf(dto) : NO_FORM;
    };
    if (request.method === 'GET' || request.method === 'HEAD') void reply.header('vary', 'Prefer');
    const { query, body } = request;
    noteUnknown(reply, { in: 'query', form: form(QUERY), value: query }, { in: 'body', form: form(BODY), value: body });
    return true;
  }
}

/** Names what was noted in the `warnings` of an answer that is a JSON object and no error. Kept answers know nothing of it. */
export const addWarnings: preSerializationHookHandler = (request, reply, answer, done) => {
  const isWarned = hasUnknown(request) && isOfApi(request) && !configOf(request).isWithoutWarnings;
  if (!isWarned || reply.statusCode >= 300 || typeof answer !== 'object' || answer === null) {
    done(null, answer);
    return;
  }
  void reply.header('cache-control', 'no-store');
  done(null, withWarnings(answer, request));
};

const isOfApi = ({ routeOptions: { url } }: FastifyRequest): boolean => url?.startsWith(`/${API}/`) ?? false;
