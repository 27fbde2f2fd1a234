import { createHash } from 'node:crypto';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiProduces, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { API, ApiErrors, isKnown, queryOf } from '#http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AgentTrafficDto, windowIn } from './agent-traffic.dto.js';
import { AgentTrafficView } from './agent-traffic.view.js';
import { type Format, formatFor } from './format.js';
import { GetAgentTraffic } from './get-agent-traffic.query.js';
import { trafficCsv } from './traffic-csv.js';
import { trafficPrometheus } from './traffic-prometheus.js';

const WRITTEN: Readonly<Record<Format, { readonly type: string; readonly write: (view: AgentTrafficView) => string }>> =
  {
    json: { type: 'application/json; charset=utf-8', write: (view) => JSON.stringify(view) },
    csv: { type: 'text/csv; charset=utf-8; header=present', write: trafficCsv },
    prometheus: { type: 'text/plain; version=0.0.4; charset=utf-8', write: trafficPrometheus },
  };

/** What agents do, as counts, for everybody (docs/interface.md, endpoint 13). */
@ApiTags('observability')
@Controller(`${API}/observability/agent-traffic`)
export class AgentTrafficController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ApiOperation({
    operationId: 'getAgentTraffic',
    summary: 'Lê o tráfego agregado dos agentes',
    description:
      'Só contagens: nenhum titular, pedido, endereço ou valor. Também em text/csv e no formato do Prometheus.',
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
  @ApiErrors('invalid_query', 'invalid_window', 'rate_limited', 'service_unavailable')
  async get(
    @Query(queryOf(AgentTrafficDto)) query: AgentTrafficDto,
    @Req() { headers }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { operation, agent, format = formatFor(headers.accept) } = query;
    const { now: view } = await this.queries.execute(new GetAgentTraffic(windowIn(query), { operation, agent }));
    const tag = tagOf(view, format);
    const isOver = view.window.to <= view.generatedAt;
    void reply
      .header('etag', `W/${tag}`)
      .header('vary', 'Accept')
      // What was counted late may still come to a window that is over.
      .header('cache-control', isOver ? 'public, max-age=60' : 'public, max-age=1');
    if (isKnown(tag, headers['if-none-match'])) {
      void reply.code(304).send();
      return;
    }
    const { type, write } = WRITTEN[format];
    if (format === 'csv') void reply.header('content-disposition', 'attachment; filename="trafego-de-agentes.csv"');
    void reply.type(type).send(write(view));
  }
}

/** What a tag of the figures holds, whenever they were read. It is a weak one, since that instant differs (RFC 9110 §8.8.1). */
const tagOf = ({ generatedAt: _, ...figures }: AgentTrafficView, format: Format): string =>
  `"${createHash('sha256')
    .update(`${format} ${JSON.stringify(figures)}`)
    .digest('base64url')
    .slice(0, 27)}"`;
