import accepts from 'accepts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, type Cause, type Context, DomainError, type ErrorCode, type Scope } from '#kernel';
import type { BaseUrls } from './base-urls.js';
import { RouteConfig } from '@nestjs/platform-fastify';

/** What an access token may be good for (RFC 8707): the API, or the MCP endpoint. */
export type ProtectedResource = 'api' | 'mcp';

/** How a refused request is to authenticate: by DPoP, Bearer or either, and what is wrong with its proof (RFC 9449 §7.1). */
export interface Authentication {
  readonly schemes: readonly ['Bearer'] | readonly ['DPoP'] | readonly ['Bearer', 'DPoP'];
  /** The algorithms of proofs, separated by spaces. */
  readonly algorithms: string;
  /** An error of RFC 9449 and its description in English, instead of `invalid_token`. */
  readonly flaw?: { readonly error: string; readonly description: string };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The service's addresses as this request sees them. */
    urls: BaseUrls;
    /** The trace under which everything is written that it leads to. */
    cause: Cause;
    /** The address it counts under where something is limited by address; null: it is not counted. */
    address: string | null;
    /** Who sent it; set by the scopes guard on protected operations. */
    caller: Caller | null;
    /** Scopes that the operation needs, for `WWW-Authenticate`; set by the scopes guard. */
    requiredScopes: readonly Scope[] | null;
    /** How it is to authenticate, where it is refused; null: nobody has looked, and any bearer token would do. */
    authentication: Authentication | null;
    /** Name of the tool it calls; null: none. */
    tool: string | null;
    /** What its signature came to; null: it has none by which an agent says who it is. */
    signature: RequestSignature | null;
    /** The JSON that it sent, where its route keeps it for who verifies a signature; null: none. */
    bodyAsSent: string | null;
    /** Code of the error it was answered with, also in a tool's result; null: none. */
    errorCode: ErrorCode | null;
    /** After how long (ms) a stream began that ends when its reader leaves; null: it is answered at once. */
    streamedAfter: number | null;
  }
  interface FastifyContextConfig {
    /** The resource of a route: only tokens issued for it are good there. The API, unless the route says otherwise. */
    resource?: ProtectedResource;
    /** Whether bodies are kept as they were sent, besides being read. */
    keepsBody?: boolean;
  }
}

/** Declares every field that this service adds to a request, so that all requests have one shape. */
export const decorateRequests = (fastify: FastifyInstance): void => {
  for (const field of [
    'urls',
    'cause',
    'address',
    'caller',
    'requiredScopes',
    'authentication',
    'tool',
    'unknownMembers',
    'errorCode',
    'streamedAfter',
    'repeatable',
    'compressible',
    'signature',
    'bodyAsSent',
  ]) {
    fastify.decorateRequest(field, null);
  }
};

/** The part of a request that its route's configuration is in; a request that the router refuses has none. */
interface Configured {
  readonly routeOptions: { readonly config?: FastifyContextConfig };
}

export const configOf = ({ routeOptions }: Configured): FastifyContextConfig => routeOptions.config ?? {};

export const resourceOf = (request: Configured): ProtectedResource => configOf(request).resource ?? 'api';

export type Called = Pick<FastifyRequest, 'caller'>;

/** The caller of a protected operation, verified by the scopes guard before the handler runs. */
export const callerOf = (request: Called): Caller => {
  if (!request.caller) throw new Error('a handler of an unprotected operation asked for its caller');
  return request.caller;
};

/** The context that a command of this request is written under: who called, and the request itself. */
export const contextOf = (request: FastifyRequest): Context => {
  const { holder, clientId } = callerOf(request);
  return { actor: { holder, clientId }, ...request.cause };
};

/** Who asks for something to be done: the caller, the context it is written under, and the addresses of the answer's links. */
export interface RequestContext {
  readonly caller: Caller;
  readonly context: Context;
  readonly urls: BaseUrls;
}

const fromRequest = (part: (request: FastifyRequest) => unknown) =>
  createParamDecorator((_: unknown, context: ExecutionContext) =>
    part(context.switchToHttp().getRequest<FastifyRequest>()),
  );

export const CurrentCaller = fromRequest(callerOf);
export const CurrentBaseUrls = fromRequest((request) => request.urls);
/** Parameter of a controller: the caller, the `Context` that commands are written under, and the `BaseUrls`. */
export const CurrentRequest = fromRequest((request): RequestContext => ({
  caller: callerOf(request),
  context: contextOf(request),
  urls: request.urls,
}));

type Accepting = Pick<FastifyRequest, 'raw'>;

/** The one of some media types that a request prefers (RFC 9110 §12.5.1). Only types that it names count; no wildcard does. */
export const preferredType = ({ raw }: Accepting, types: readonly string[]): string | undefined =>
  (accepts(raw).types() as string[]).map((type) => type.toLowerCase()).find((type) => types.includes(type));

/** Whether a request asks for a page rather than JSON. Only one that names `text/html` does: a browser. */
export const prefersHtml = (request: Accepting): boolean =>
  preferredType(request, ['text/html', 'application/json']) === 'text/html';

/** The operation of a request that no route knows. */
export const UNMATCHED = 'unmatched';

export interface Routed extends Pick<FastifyRequest, 'method'> {
  readonly routeOptions: { readonly url?: string | undefined };
}

/** The operation of a request: method and route pattern, never the path itself, which names things of people. */
export const operationOf = (request: Routed): string =>
  request.routeOptions.url === undefined ? UNMATCHED : `${request.method} ${request.routeOptions.url}`;

/** One JSON line a request: id, correlation id, operation, status, milliseconds, client. Nothing of query, headers or bodies. */
export const logRequest = (request: FastifyRequest, reply: FastifyReply): void => {
  request.log.info(
    {
      correlation: request.cause.correlationId,
      operation: operationOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      client: request.caller?.clientId,
    },
    'request',
  );
};

/** What the HTTP message signatures of a request come to (RFC 9421; draft-ietf-webbotauth-httpsig-protocol-01, Verifier Outcomes). */
export type RequestSignature =
  | {
      readonly outcome: 'verified';
      /** The host of the agent that signed, with one of the keys that it publishes. */
      readonly host: string;
      /** Whether it was signed for this request alone: for its method, path and body, and with a nonce. */
      readonly coversRequest: boolean;
    }
  /** Nothing is known of it: its keys cannot be had now, or it is of a kind that is not read here. It counts as unsigned. */
  | { readonly outcome: 'unverified' }
  /** `reason`: a stable word for the answer. */
  | { readonly outcome: 'wrong'; readonly reason: string };

/** The part of a request that signatures are made over. */
export type SignedRequest = Pick<FastifyRequest, 'method' | 'headers' | 'url' | 'originalUrl' | 'urls'>;

/** Verification of the signatures of requests, as a port. Neither of the two throws. */
export abstract class RequestSignatures {
  /** Of a read: at once, by what is in memory. */
  abstract ofRead(request: SignedRequest): RequestSignature | null;
  /** Of a write: it waits for the keys, a second at most. */
  abstract ofWrite(request: SignedRequest): Promise<RequestSignature | null>;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Judges a signature where there is one, before the body of a write is read. @throws DomainError `invalid_signature` */
export const judgeSignature = (signatures: RequestSignatures, request: FastifyRequest): Promise<void> | void => {
  if (request.headers['signature-input'] === undefined) return;
  if (READS.has(request.method)) {
    request.signature = signatures.ofRead(request);
    return;
  }
  return signatures.ofWrite(request).then((signature) => {
    request.signature = signature;
    if (signature?.outcome === 'wrong') throw new DomainError('invalid_signature', { reason: signature.reason });
  });
};

/** What was said of each operation so far: `RouteConfig` of Nest knows one saying only, which replaces those before it. */
const said = new WeakMap<object, FastifyContextConfig>();

/** Configures an operation's Fastify route, for hooks that run before Nest. On a controller: all operations without their own. */
export const configureRoute =
  (config: FastifyContextConfig): ClassDecorator & MethodDecorator =>
  (target: object, name?: string | symbol, operation?: PropertyDescriptor): void => {
    for (const [key, one] of operation && name !== undefined ? [[name, operation] as const] : operationsOf(target)) {
      const value = one.value as object;
      const whole = { ...config, ...said.get(value) };
      said.set(value, whole);
      RouteConfig(whole)(target, key, one);
    }
  };

const operationsOf = (controller: object): readonly (readonly [string, PropertyDescriptor])[] => {
  const { prototype } = controller as { readonly prototype: object };
  const members = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return members.filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor');
};
