import { applyDecorators, Body, type CanActivate, type ExecutionContext, Injectable, Query } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from '#kernel';
import type { FastifyReply, FastifyRequest, preSerializationHookHandler } from 'fastify';
import { API } from './base-urls.js';
import { bodyOf, type Dto, formOf, NO_FORM, queryOf } from './validation.js';
import { configOf } from './request.js';
import { configureRoute } from './route-config.js';
import { hasUnknown, noteUnknown, withWarnings } from './warnings.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    isWithoutWarnings?: boolean;
  }
}

const BODY = 'alcada:body';
const QUERY = 'alcada:query';

/** What OpenAPI marks an operation with whose answer has no `warnings`. */
export const WITHOUT_WARNINGS = 'x-without-warnings';

const marked = (target: object, method: string | symbol | undefined, key: string, dto: Dto<object>): void => {
  const handler: unknown = method === undefined ? undefined : Reflect.get(target, method);
  if (typeof handler === 'function') Reflect.defineMetadata(key, dto, handler);
};

/** The JSON body as a DTO. `whenMissing`: the code where there is none, or 'allowed' to take an empty object. */
export const JsonBody =
  <Form extends object>(dto: Dto<Form>, whenMissing?: ErrorCode | 'allowed'): ParameterDecorator =>
  (target, method, index) => {
    Body(bodyOf(dto, whenMissing))(target, method, index);
    marked(target, method, BODY, dto);
  };

/** Parameter of a controller: the body as it was sent, which the operation judges by itself; `dto` has its names. */
export const SentBody =
  (dto: Dto<object>): ParameterDecorator =>
  (target, method, index) => {
    Body()(target, method, index);
    marked(target, method, BODY, dto);
  };

/** Parameter of a controller: the query as a DTO. Parameters that the DTO does not have are warned of, or refused. */
export const QueryString =
  <Form extends object>(dto: Dto<Form>): ParameterDecorator =>
  (target, method, index) => {
    Query(queryOf(dto))(target, method, index);
    marked(target, method, QUERY, dto);
  };

/** An operation whose answer carries no warnings, or says them in a place of its own. */
export const WithoutWarnings = () =>
  applyDecorators(configureRoute({ isWithoutWarnings: true }), ApiExtension(WITHOUT_WARNINGS, true));

/** Warns of unknown names, or refuses them, before members are judged. As an interceptor it would cost more than the body does. */
@Injectable()
export class WarningsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isOfApi(request)) return true;
    const reply = http.getResponse<FastifyReply>();
    const handler = context.getHandler();
    const form = (key: string) => {
      const dto = Reflect.getMetadata(key, handler) as Dto<object> | undefined;
      return dto ? formOf(dto) : NO_FORM;
    };
    if (request.method === 'GET' || request.method === 'HEAD') void reply.header('vary', 'Prefer');
    const { query, body } = request;
    noteUnknown(reply, { in: 'query', form: form(QUERY), value: query }, { in: 'body', form: form(BODY), value: body });
    return true;
  }
}

/** Names what was noted in the `warnings` of an answer that is a JSON object and no error. Kept answers know nothing of it. */
export const addWarnings: preSerializationHookHandler = (request, reply, answer, done) => {
  const isWarned = hasUnknown(request) && isOfApi(request) && !configOf(request).isWithoutWarnings;
  if (!isWarned || reply.statusCode >= 300 || typeof answer !== 'object' || answer === null) {
    done(null, answer);
    return;
  }
  void reply.header('cache-control', 'no-store');
  done(null, withWarnings(answer, request));
};

const isOfApi = ({ routeOptions: { url } }: FastifyRequest): boolean => url?.startsWith(`/${API}/`) ?? false;
