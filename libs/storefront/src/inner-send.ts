import type { Send } from '#agent';
import type { FastifyRequest } from 'fastify';

const FORM = 'application/x-www-form-urlencoded';

/** Real HTTP requests of an agent of this very process: through every hook and guard, without the network, and counted under the sender of `from`. `agent`: what it calls itself. */
export const innerSend =
  (from: FastifyRequest, agent?: string): Send =>
  async (address, { method, headers, body } = {}) => {
    const { pathname, search } = new URL(address);
    const {
      statusCode,
      headers: answered,
      payload,
    } = await from.server.inject({
      method: method === 'POST' ? 'POST' : 'GET',
      url: pathname + search,
      remoteAddress: from.ip,
      headers: {
        ...(body instanceof URLSearchParams && { 'content-type': FORM }),
        ...headers,
        host: from.headers.host ?? '',
        'x-request-id': from.id,
        ...(agent !== undefined && { 'user-agent': agent }),
      },
      ...(body !== undefined && { payload: body.toString() }),
    });
    const lines = Object.entries(answered).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, String(one)]),
    );
    return new Response(payload === '' ? null : payload, { status: statusCode, headers: lines });
  };
