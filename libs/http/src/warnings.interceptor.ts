import {
  applyDecorators,
  Body,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  Query,
  SetMetadata,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from '#kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { API } from './base-urls.js';
import { type Dto, formOf, NO_FORM } from './form.js';
import { bodyOf, queryOf } from './validation.js';
import { hasUnknown, noteUnknown, withWarnings } from './warnings.js';

const BODY = 'alcada:body';
const QUERY = 'alcada:query';
const SILENT = 'alcada:without-warnings';

/** What OpenAPI marks an operation with whose answer has no `warnings`. */
export const WITHOUT_WARNINGS = 'x-without-warnings';

const marked = (target: object, method: string | symbol | undefined, key: string, dto: Dto<object>): void => {
  const handler: unknown = method === undefined ? undefined : Reflect.get(target, method);
  if (typeof handler === 'function') Reflect.defineMetadata(key, dto, handler);
};

/**
 * Parameter of a controller: the JSON body as a DTO. `whenMissing`: the code of a request without one, or 'allowed' for an
 * optional body, which then reads as an empty object. Members that the DTO does not have are warned of, or refused.
 */
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
export const WithoutWarnings = () => applyDecorators(SetMetadata(SILENT, true), ApiExtension(WITHOUT_WARNINGS, true));

/**
 * Names what a request of the API has and its operation does not know, in the `warnings` of the answer, or refuses it
 * (docs/decisions.md, Unknown members). It runs after the guards, before the members themselves are judged; what an
 * idempotent answer keeps is inside, and knows nothing of it.
 */
@Injectable()
export class WarningsInterceptor implements NestInterceptor<unknown, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isOfApi(request)) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const handler = context.getHandler();
    const form = (key: string) => {
      const dto = Reflect.getMetadata(key, handler) as Dto<object> | undefined;
      return dto ? formOf(dto) : NO_FORM;
    };
    if (request.method === 'GET' || request.method === 'HEAD') void reply.header('vary', 'Prefer');
    const { query, body } = request;
    noteUnknown(reply, { in: 'query', form: form(QUERY), value: query }, { in: 'body', form: form(BODY), value: body });
    if (!hasUnknown(request) || Reflect.getMetadata(SILENT, handler) === true) return next.handle();
    return next.handle().pipe(
      map((answer) => {
        if (typeof answer !== 'object' || answer === null) return answer;
        void reply.header('cache-control', 'no-store');
        return withWarnings(answer, request);
      }),
    );
  }
}

const isOfApi = ({ routeOptions: { url } }: FastifyRequest): boolean => url?.startsWith(`/${API}/`) ?? false;
