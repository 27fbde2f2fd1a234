import { ERROR_CATALOGUE } from '#http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The status a request was answered with; where a tool's result tells a refusal, the one the API answers it with. */
export const statusOf = ({ refusal }: FastifyRequest, { statusCode }: FastifyReply): number =>
  refusal !== null && statusCode < 400 ? ERROR_CATALOGUE[refusal].status : statusCode;
