import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiProduces, ApiTags, getSchemaPath } from '@nestjs/swagger';
import {
  API,
  ApiErrors,
  ApiUnchanged,
  etagOf,
  hasUnknown,
  isKnown,
  LimitedBy,
  Public,
  QueryString,
  withWarnings,
} from '#http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AgentTrafficDto, windowIn } from './agent-traffic.dto.js';
import { AgentTrafficView } from './agent-traffic.view.js';
import { AgentTrafficReader } from './agent-traffic.reader.js';
import { type Format, formatFor, WRITERS } from './traffic-formats.js';

/** What agents do, as public counts (docs/interface.md, endpoint 13). */
@ApiTags('observability')
@Public()
@Controller(`${API}/observability/agent-traffic`)
export class AgentTrafficController {
  constructor(private readonly traffic: AgentTrafficReader) {}

  @Get()
  @LimitedBy('publicReads', 20)
  @ApiOperation({
    operationId: 'getAgentTraffic',
    summary: 'Lê o tráfego agregado dos agentes',
  })
  @ApiExtraModels(AgentTrafficView)
  @ApiProduces('application/json', 'text/csv', 'text/plain')
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(AgentTrafficView) } },
      'text/csv': { schema: { type: 'string' } },
      'text/plain': { schema: { type: 'string' } },
    },
  })
  @ApiUnchanged()
  @ApiErrors('invalid_query', 'invalid_window')
  async get(
    @QueryString(AgentTrafficDto) query: AgentTrafficDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { operation, agent, format = formatFor(request) } = query;
    const asked = { window: windowIn(query), filter: { operation, agent }, caller: request.address };
    const { now: traffic } = await this.traffic.read(asked);
    if (format === 'json' && hasUnknown(request)) {
      // What warns of this request alone is no answer to keep.
      const { type, write } = WRITERS.json;
      void reply
        .header('cache-control', 'no-store')
        .type(type)
        .send(await write(withWarnings(traffic, request)));
      return;
    }
    const tag = tagOf(traffic, format);
    const isOver = traffic.window.to <= traffic.generatedAt;
    void reply
      .header('etag', `W/${tag}`)
      .header('vary', 'Accept, Prefer')
      // Late counts may still be added to a window that is over.
      .header('cache-control', isOver ? 'public, max-age=60' : 'public, max-age=1');
    if (isKnown(tag, request.headers['if-none-match'])) {
      void reply.code(304).send();
      return;
    }
    const { type, write } = WRITERS[format];
    if (format === 'csv') void reply.header('content-disposition', 'attachment; filename="trafego-de-agentes.csv"');
    void reply.type(type).send(await write(traffic));
  }
}

/** A tag of the figures, whenever they were read. It is sent as a weak tag, since that instant differs (RFC 9110 §8.8.1). */
const tagOf = ({ generatedAt: _, ...figures }: AgentTrafficView, format: Format): string =>
  etagOf(`${format} ${JSON.stringify(figures)}`);
