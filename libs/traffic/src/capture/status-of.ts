import { ERROR_CATALOGUE } from '#http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The caller left before the whole of the answer was sent: what nginx logs it as. HTTP has no status for it. */
const LEFT = 499;

/** The status a request was answered with; where a tool's result tells a refusal, the one the API answers it with. */
export const statusOf = ({ refusal }: FastifyRequest, { raw, statusCode }: FastifyReply): number => {
  // Of an answer that nobody got, the status may not even have been decided.
  if (!raw.writableFinished) return LEFT;
  return refusal !== null && statusCode < 400 ? ERROR_CATALOGUE[refusal].status : statusCode;
};
