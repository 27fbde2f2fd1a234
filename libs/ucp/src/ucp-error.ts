import { applyDecorators } from '@nestjs/common';
import {
  asDomainError,
  authenticateChallenge,
  configureRoute,
  ERROR_CATALOGUE,
  type ErrorFormat,
  ErrorsAs,
  wellKnown,
} from '#http';
import type { ErrorCode } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Message, Severity } from './envelope.js';

interface UcpErrorOptions extends ErrorOptions {
  /** What is said about parts of the request; absent: the error itself is the one message. */
  readonly messages?: readonly Message[];
  /** What a platform can do about it; absent: nothing that it does makes the same request succeed. */
  readonly severity?: Severity;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
  /** Parameters of the challenge of a 401 or 403 (RFC 6750 §3), after its realm; absent: no token is asked for. */
  readonly challenge?: string;
}

/** A refusal of the protocol (UCP 2026-04-08, Core Specification, Error Codes): the request itself was not looked at. */
export class UcpError extends Error {
  override readonly name = 'UcpError';
  readonly messages: readonly Message[];
  readonly retryAfter: number | undefined;
  readonly challenge: string | null;

  /** `status`: of HTTP. `code`: as the specification names it. `content`: for people. */
  constructor(
    readonly status: number,
    readonly code: string,
    readonly content: string,
    options: UcpErrorOptions = {},
  ) {
    super(`${code}: ${content}`, options);
    const { severity = 'unrecoverable', messages = [{ type: 'error', code, content, severity }] } = options;
    this.messages = messages;
    this.retryAfter = options.retryAfter;
    this.challenge = options.challenge ?? null;
  }

  /** What its answer has beside what every one has. */
  get members(): object {
    return {};
  }
}

/** What is answered instead of what was asked for, and is no error of the transport: 200 with messages (UCP, Error Handling). */
export class UcpOutcome extends Error {
  override readonly name = 'UcpOutcome';

  constructor(
    readonly code: string,
    readonly answer: object,
  ) {
    super(code);
  }
}

/** The body of an error by REST, and the `data` of one by MCP. */
const errorBody = ({ code, content, messages, members }: UcpError) => ({ code, content, messages, ...members });

/** The code of an error of JSON-RPC (UCP, Error Codes). */
export const rpcCodeOf = ({ status, code }: UcpError): number => {
  if (status >= 500 && status !== 503) return -32603;
  if (DISCOVERY.has(code)) return -32001;
  if (UNREADABLE.has(code)) return -32600;
  // What a tool is given is its params (UCP, Catalog, MCP Binding, Conformance).
  return code === 'invalid_request' || code === 'request_too_large' ? -32602 : -32000;
};

const DISCOVERY = new Set(['invalid_profile_url', 'profile_unreachable', 'profile_malformed', 'version_unsupported']);
const UNREADABLE = new Set(['digest_mismatch', 'algorithm_unsupported', 'payload_too_large', 'unsupported_media_type']);

/** Codes of ours that the protocol has names and statuses of its own for. */
const RENAMED: Readonly<Partial<Record<ErrorCode, readonly [status: number, code: string]>>> = {
  malformed_json: [400, 'invalid_request'],
  invalid_body: [400, 'invalid_request'],
  invalid_query: [400, 'invalid_request'],
  invalid_arguments: [400, 'invalid_request'],
  invalid_idempotency_key: [400, 'invalid_request'],
  idempotency_conflict: [409, 'idempotency_conflict'],
  invalid_signature: [401, 'signature_invalid'],
  token_missing: [401, 'identity_required'],
  invalid_token: [401, 'identity_required'],
};

/** Refusals after which the same request may succeed, or one that was put right. */
const MENDABLE = new Set([400, 409, 422, 429, 503]);

/** Something that a signed request lacks (UCP, Message Signatures, Error Codes). */
export const signatureMissing = (what: string): UcpError =>
  new UcpError(401, 'signature_missing', `Falta ${what}, que uma requisição assinada leva.`);

/** Any error as one of the protocol. */
export const asUcpError = (thrown: unknown): UcpError => {
  if (thrown instanceof UcpError) return thrown;
  const { code, cause, retryAfter } = asDomainError(thrown);
  const { status: ours, message } = ERROR_CATALOGUE[code];
  const [status, name] = RENAMED[code] ?? [ours, code];
  const severity = MENDABLE.has(status) ? 'recoverable' : status < 404 ? 'requires_buyer_review' : 'unrecoverable';
  const soon = status === 429 ? 60 : status === 503 || code === 'idempotency_in_flight' ? 1 : undefined;
  return new UcpError(status, name, message, {
    cause: cause ?? thrown,
    severity,
    retryAfter: retryAfter ?? soon,
    ...(status === 401 && name === 'identity_required' && { challenge: flawOf(code) }),
  });
};

const flawOf = (code: ErrorCode): string => (code === 'invalid_token' ? 'error="invalid_token"' : '');

/** `WWW-Authenticate` of an error (UCP, Identity Linking, Error Handling); null: it asks for no token. */
const challengeOf = ({ challenge }: UcpError, request: FastifyRequest): string | null => {
  if (challenge === null) return null;
  // The scheme of a token that is bound to a key says what is wrong with it.
  if (request.authentication?.flaw) return authenticateChallenge('invalid_token', request);
  const { auth, base } = request.urls;
  const metadata = `resource_metadata="${wellKnown('oauth-protected-resource', base)}"`;
  return `Bearer ${[`realm="${auth}"`, challenge, metadata].filter(Boolean).join(', ')}`;
};

type BodyOf = (error: UcpError, request: FastifyRequest) => object;

/** A form of errors (UCP, Transport Bindings), whose bodies are of one transport. */
const errorsIn =
  (bodyOf: BodyOf): ErrorFormat =>
  (thrown, request) => {
    const send = (status: number, body: object, challenge: string | null) => ({
      send: (reply: Parameters<ReturnType<ErrorFormat>['send']>[0]): void => {
        if (challenge !== null) void reply.header('www-authenticate', challenge);
        void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
      },
    });
    if (thrown instanceof UcpOutcome) {
      const { code, answer } = thrown;
      return { status: 200, code, cause: undefined, retryAfter: undefined, ...send(200, answer, null) };
    }
    const read = asUcpError(thrown);
    // What judges the signatures of agents says of one that is not there that it is wrong.
    const isHalf = read.code === 'signature_invalid' && request.headers.signature === undefined;
    const error = isHalf ? signatureMissing('Signature') : read;
    const { status, code, cause, retryAfter } = error;
    if (!(thrown instanceof UcpError)) request.errorCode = asDomainError(thrown).code;
    return { status, code, cause, retryAfter, ...send(status, bodyOf(error, request), challengeOf(error, request)) };
  };

/** Errors by REST. */
export const ucpErrors = errorsIn(errorBody);

const message = z.object({ id: z.union([z.string(), z.number()]) });

/** Errors by MCP: of JSON-RPC, with their status. */
export const rpcErrors = errorsIn((error, { body, errorCode }) => {
  const { content, retryAfter } = error;
  const data = { ...errorBody(error), ...(retryAfter !== undefined && { retry_after: retryAfter }) };
  const code = errorCode === 'malformed_json' ? -32700 : rpcCodeOf(error);
  return { jsonrpc: '2.0', id: message.safeParse(body).data?.id ?? null, error: { code, message: content, data } };
});

/** Answers all errors of a controller in the form of the protocol, of bodies that nobody can read as well; bodies are kept for signatures. */
export const UcpErrors = (form = ucpErrors) =>
  applyDecorators(ErrorsAs(form), configureRoute({ bodyErrors: form, keepsBody: true }));
