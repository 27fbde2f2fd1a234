import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiPropertyOptional,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import {
  AccessTokens,
  answers,
  API,
  ApiErrors,
  callerOf,
  CurrentBaseUrls,
  hasUnknown,
  type BaseUrls,
  Optional,
  preferredType,
  Public,
  QueryString,
  requireAny,
  RequireAnyScope,
  sendStream,
  withWarnings,
} from '#http';
import { DomainError } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EVENT_TYPES, type EventType, isEventType, typesFor } from './event-types.js';
import { EventStreams } from './event-streams.js';
import { EventPageView, eventSchema } from './event.view.js';
import { Outbox } from './outbox.js';
import { cursorOf, keyOf, type Place } from './places.js';

const ONCE = answers('invalid_query', 'deve ser informado uma única vez');

export class ListEventsDto {
  @ApiPropertyOptional({
    description: 'Um cursor: só o que aconteceu depois dele. Ausente: desde o mais antigo guardado.',
  })
  @Optional()
  @IsString(ONCE)
  readonly after?: string;

  @ApiPropertyOptional({
    description: 'Só destes tipos, separados por vírgulas.',
    example: 'order.paid,mandate.revoked',
  })
  @Optional()
  @IsString(ONCE)
  readonly types?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 100, default: 100, description: 'Eventos por página.' })
  @Optional()
  @Matches(/^(?:[1-9]\d?|100)$/, answers('invalid_query', 'deve ser um inteiro de 1 a 100'))
  readonly limit?: string;
}

const SSE = 'text/event-stream';
/** How many places are read at once, and how often for a page of few types: what is left is in the next one. */
const [AT_ONCE, READS] = [500, 20];

/** What happened to an agent's mandates and orders (docs/interface.md, Events). */
@ApiTags('events')
@Controller(`${API}/events`)
export class EventsController {
  constructor(
    private readonly outbox: Outbox,
    private readonly streams: EventStreams,
    private readonly tokens: AccessTokens,
  ) {}

  @Get()
  @RequireAnyScope('receipt:read', 'mandate:create')
  @ApiOperation({ operationId: 'listEvents', summary: 'Lê, ou acompanha ao vivo, o que aconteceu' })
  @ApiExtraModels(EventPageView)
  @ApiProduces('application/json', SSE)
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(EventPageView) } },
      [SSE]: { schema: { type: 'string' } },
    },
  })
  @ApiErrors('invalid_query', 'invalid_cursor', 'cursor_too_old')
  async list(
    @QueryString(ListEventsDto) query: ListEventsDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const types = typesIn(query.types, request);
    const isStream = preferredType(request, ['application/json', SSE]) === SSE;
    const resumed = request.headers['last-event-id'];
    const cursor = isStream && typeof resumed === 'string' && resumed !== '' ? resumed : query.after;
    const after = cursor === undefined ? null : keyOf(cursor);
    const end = await this.outbox.end();
    if (after !== null) await this.outbox.checkKept(after, end);
    void reply.header('cache-control', 'no-store');
    if (isStream) await this.stream(request, reply, types, after ?? end ?? '');
    else
      await reply.send(
        withWarned(await this.page(request, types, { after, limit: Number(query.limit ?? 100), end }), request),
      );
  }

  @Get('schemas/:file')
  @Public()
  @ApiExcludeEndpoint()
  async schema(
    @Param('file') file: string,
    @CurrentBaseUrls() { base }: BaseUrls,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const schema = file.endsWith('.json') ? eventSchema(file.slice(0, -'.json'.length), base) : null;
    if (!schema) throw new DomainError('route_not_found');
    await reply.header('cache-control', 'public, max-age=3600').type('application/schema+json').send(schema);
  }

  private async stream(
    request: FastifyRequest,
    reply: FastifyReply,
    types: ReadonlySet<EventType>,
    after: string,
  ): Promise<void> {
    const { urls } = request;
    const listener = { party: callerOf(request), types, after, urls, isInForce: () => this.tokens.isInForce(request) };
    await sendStream(request, reply, () => this.streams.connect(listener));
  }

  private async page(
    request: FastifyRequest,
    types: ReadonlySet<EventType>,
    { after, limit, end }: { readonly after: string | null; readonly limit: number; readonly end: string | null },
  ): Promise<EventPageView> {
    const found: Place[] = [];
    let [key, isOver] = [after, end === null];
    for (let reads = 0; !isOver && reads < READS && found.length < limit; reads += 1) {
      const places = await this.outbox.after(key, callerOf(request), AT_ONCE);
      for (const place of places) {
        if (found.length >= limit) break;
        key = place.key;
        if (types.has(place.type)) found.push(place);
      }
      isOver = places.length < AT_ONCE && found.length < limit;
    }
    const last = isOver && end !== null && end > (key ?? '') ? end : key;
    return {
      items: await this.outbox.eventsOf(found, request.urls),
      nextCursor: last === null ? null : cursorOf(last),
    };
  }
}

const withWarned = (page: EventPageView, request: FastifyRequest): object =>
  hasUnknown(request) ? withWarnings(page, request) : page;

/** The types asked for; all that the token is good for where none are named. @throws DomainError `invalid_query`, `insufficient_scope` */
const typesIn = (text: string | undefined, request: FastifyRequest): ReadonlySet<EventType> => {
  if (text === undefined) return new Set(typesFor(callerOf(request).scopes));
  const named = text.split(',');
  const types = named.filter(isEventType);
  if (types.length < named.length)
    throw new DomainError('invalid_query', [
      { field: 'types', message: `deve ser uma lista de: ${Object.keys(EVENT_TYPES).join(', ')}` },
    ]);
  for (const type of types) requireAny([EVENT_TYPES[type].scope], request);
  return new Set(types);
};
