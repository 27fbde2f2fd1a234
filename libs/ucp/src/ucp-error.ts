import type { FastifyReply } from 'fastify';
import { asDomainError, authenticateChallenge, type ErrorFormat } from '#http';
import { ERROR_CATALOGUE } from '#http';

/** A refusal of the protocol (UCP 2026-04-08, Core Specification, Error Codes): the request itself was not looked at. */
export class UcpError extends Error {
  override readonly name = 'UcpError';

  /** `status`: of HTTP. `code`: as the specification names it. `content`: for people. */
  constructor(
    readonly status: number,
    readonly code: string,
    readonly content: string,
  ) {
    super(`${code}: ${content}`);
  }
}
