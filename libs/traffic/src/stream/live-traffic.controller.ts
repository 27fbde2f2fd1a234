import { Readable } from 'node:stream';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { API, ApiErrors } from '#http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LiveTraffic } from './live-traffic.js';

/** The traffic as it happens. */
@ApiTags('observability')
@Controller(`${API}/observability/agent-traffic/stream`)
export class LiveTrafficController {
  constructor(private readonly live: LiveTraffic) {}

  @Get()
  @ApiOperation({
    operationId: 'streamAgentTraffic',
    summary: 'Acompanha o tráfego ao vivo',
    description:
      'Server-sent events: `traffic`, com os pontos deste minuto e do anterior, sempre que mudam. Conexões são limitadas e duram até uma hora.',
  })
  @ApiOkResponse({ content: { 'text/event-stream': { schema: { type: 'string' } } } })
  @ApiErrors('rate_limited', 'service_unavailable')
  async get(@Req() { method, address }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // Who asks for the headers alone watches nothing, and would hold a place that nobody gives back.
    const stream = method === 'HEAD' ? Readable.from([]) : this.live.watch(address);
    await reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      // Proxies that keep answers back until they are whole would keep these for ever.
      .header('x-accel-buffering', 'no')
      .send(stream);
  }
}
