import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller, Cause, Context, ErrorCode, Scope } from '#kernel';
import type { FastifyRequest } from 'fastify';
import type { BaseUrls } from './base-urls.js';

/** What an access token may be good for (RFC 8707): the API, or the MCP endpoint. */
export type ProtectedResource = 'api' | 'mcp';

declare module 'fastify' {
  interface FastifyRequest {
    /** Addresses as this request sees them. */
    urls: BaseUrls;
    /** What everything it leads to is written under. */
    cause: Cause;
    /** What it counts under where something is limited by address; null: under nothing. */
    address: string | null;
    /** The resource asked, whose tokens alone are good: the API, unless its controller says otherwise. */
    resource: ProtectedResource;
    /** Who sent it; set by the scopes guard on protected operations. */
    caller: Caller | null;
    /** Scopes the operation needs; set by the scopes guard, for `WWW-Authenticate`. */
    requiredScopes: readonly Scope[];
    /** The tool it calls; null: none. */
    tool: string | null;
    /** Code of the refusal it was answered with, also where a tool's result tells it; null: none. */
    refusal: ErrorCode | null;
  }
}

/** The caller of a protected operation, verified by the scopes guard before the handler runs. */
export const callerOf = (request: FastifyRequest): Caller => {
  if (!request.caller) throw new Error('a handler of an unprotected operation asked for its caller');
  return request.caller;
};

/** Why a command of this request is written: who called, and the request itself. */
export const contextOf = (request: FastifyRequest): Context => {
  const { holder, clientId } = callerOf(request);
  return { actor: { holder, clientId }, ...request.cause };
};

const fromRequest = (part: (request: FastifyRequest) => unknown) =>
  createParamDecorator((_: unknown, context: ExecutionContext) =>
    part(context.switchToHttp().getRequest<FastifyRequest>()),
  );

/** Parameter of a controller: the verified `Caller`. */
export const CurrentCaller = fromRequest(callerOf);
/** Parameter of a controller: the `Context` its command is written under. */
export const CurrentContext = fromRequest(contextOf);
/** Parameter of a controller: the `BaseUrls` of this request. */
export const CurrentBaseUrls = fromRequest((request) => request.urls);
