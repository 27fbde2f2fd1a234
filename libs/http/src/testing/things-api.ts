import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Controller, Delete, Get, HttpCode, Module, Param, Patch, Post, UseInterceptors } from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Caller, DomainError, type Scope } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { IsInt } from 'class-validator';
import { pino } from 'pino';
import { AccessTokens, GUARDS, Public, RequireScopes } from '../scopes.guard.js';
import { Overloaded } from '../concurrency-limit.js';
import { asDomainError } from '../error-answer.js';
import { ErrorFilter, type ErrorFormat, ErrorsAs, jsonErrors } from '../error.filter.js';
import { ETagInterceptor } from '../etag.js';
import { createHttpAdapter } from '../http-server.js';
import { API, baseUrlsAt } from '../base-urls.js';
import {
  CurrentBaseUrls,
  CurrentCaller,
  type RequestSignature,
  RequestSignatures,
  type SignedRequest,
} from '../request.js';
import { answers } from '../validation.js';
import { JsonBody } from '../warnings.js';

class ThingDto {
  @IsInt(answers('invalid_limit', 'deve ser um inteiro'))
  readonly size: number;
}

class Gate {
  readonly entered: Promise<void>;
  readonly passed: Promise<void>;
  enter: () => void = () => undefined;
  letPass: () => void = () => undefined;

  constructor() {
    this.entered = new Promise((resolve) => (this.enter = resolve));
    this.passed = new Promise((resolve) => (this.letPass = resolve));
  }
}

@Public()
@Controller(`${API}/gate`)
class GateController {
  constructor(private readonly gate: Gate) {}

  @Get()
  async wait() {
    this.gate.enter();
    await this.gate.passed;
    return {};
  }

  @Get('full')
  full() {
    throw new Overloaded();
  }
}

@Public()
@Controller(`${API}/things`)
class ThingsController {
  @Get()
  @UseInterceptors(ETagInterceptor)
  list() {
    return { items: ['one'] };
  }

  @Get('many')
  @UseInterceptors(ETagInterceptor)
  listMany() {
    return { items: Array.from({ length: 500 }, (_, place) => `thing ${place}`) };
  }

  @Get('own')
  @RequireScopes('receipt:read')
  @UseInterceptors(ETagInterceptor)
  listOwn() {
    return this.listMany();
  }

  @Get(':id')
  get(@Param('id') id: string, @CurrentBaseUrls() { base }: { base: string }) {
    return { id, url: `${base}/things/${id}` };
  }

  @Post()
  @HttpCode(201)
  @RequireScopes('booking:write', 'receipt:read')
  create(@JsonBody(ThingDto) body: ThingDto, @CurrentCaller() { holder }: Caller) {
    return { body, holder };
  }

  @Patch(':id')
  @ErrorsAs(() => {
    throw new Error('this form has a fault');
  })
  change() {
    throw new DomainError('invalid_change');
  }

  @Delete(':id')
  break(@Param('id') id: string) {
    throw new Error(`mongodb://user:secret@host cannot delete ${id}`);
  }
}

/** Its author forgot to say who may call it. */
@Controller(`${API}/forgotten`)
class ForgottenController {
  @Get()
  get() {
    return { secret: true };
  }
}

/** Tokens that say what they are: `Bearer <scope> <scope>`. */
class PlainTokens extends AccessTokens {
  callerOf({ headers }: FastifyRequest): Promise<Caller> {
    const [scheme, ...scopes] = (headers.authorization ?? '').split(' ');
    if (scheme === '') return Promise.reject(new DomainError('token_missing'));
    if (scheme !== 'Bearer') return Promise.reject(new DomainError('invalid_token'));
    return Promise.resolve({ holder: 'ana', clientId: 'pilot', scopes: scopes as Scope[], grantId: 'g1' });
  }

  isInForce(): Promise<boolean> {
    return Promise.resolve(true);
  }
}

/** Signatures that say what they come to: `Signature-Input: wrong`. */
class PlainSignatures extends RequestSignatures {
  asked = 0;

  ofRead({ headers }: SignedRequest): RequestSignature {
    this.asked += 1;
    const isWrong = headers['signature-input'] === 'wrong';
    return isWrong ? { outcome: 'wrong', reason: 'expired' } : { outcome: 'unverified' };
  }

  ofWrite(request: SignedRequest): Promise<RequestSignature> {
    return Promise.resolve(this.ofRead(request));
  }
}

@Module({
  controllers: [GateController, ThingsController, ForgottenController],
  providers: [
    Gate,
    { provide: AccessTokens, useClass: PlainTokens },
    ...GUARDS,
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class Things {}

/** What a protocol makes of errors below a path of its own. */
const plainErrors: ErrorFormat = (error, request) => ({
  ...jsonErrors(error, request),
  send: (reply) => void reply.code(asDomainError(error).code === 'route_not_found' ? 404 : 500).send({ plain: true }),
});

export type LogLine = Readonly<Record<string, unknown>>;

interface Ended {
  readonly url: string;
  readonly isWhole: boolean;
  readonly signature: string | null;
}

/** A small API behind our HTTP edge, listening on a free port of 127.0.0.1. */
export const startThingsApi = async () => {
  const logged: LogLine[] = [];
  const ends: Ended[] = [];
  const logger = pino(
    { serializers: { err: ({ message }: Error) => ({ message }) } },
    { write: (line: string) => void logged.push(JSON.parse(line) as LogLine) },
  );
  const signatures = new PlainSignatures();
  const addresses = { urls: baseUrlsAt('https://voos.example'), followLoopback: true };
  const adapter = createHttpAdapter({
    addresses,
    logger,
    sendNotFoundPage: (_, reply) => void reply.code(404).send({ page: 'nowhere' }),
    errorsBelow: new Map([['protocol', plainErrors]]),
    signatures,
    answered: ({ url, signature }, { raw }) =>
      void ends.push({ url, isWhole: raw.writableFinished, signature: signature?.outcome ?? null }),
  });
  const app = await NestFactory.create<NestFastifyApplication>(Things, adapter, { logger: false, bodyParser: false });
  await app.listen(0, '127.0.0.1');
  const origin = await app.getUrl();
  return {
    origin,
    logged,
    ends,
    signatures,
    gate: app.get(Gate),
    call: async (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
      const response = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) });
      const text = await response.text();
      const answer = (text ? JSON.parse(text) : null) as Readonly<Record<string, unknown>> | null;
      return { status: response.status, headers: response.headers, body: answer };
    },
    /** A bare connection: what is written to it, and what comes back until it ends. */
    connection: () => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      return {
        leave: () => socket.destroy(),
        write: (bytes: string) => new Promise<void>((resolve) => socket.write(bytes, () => resolve())),
        answer: once(socket, 'close').then(() => text),
      };
    },
    /** Begins to stop; answers once no new connection is taken, with the end as a promise. */
    beginToStop: async (): Promise<{ readonly end: Promise<void> }> => {
      const end = app.close();
      const { server } = adapter.getInstance();
      while (server.listening) await nextTurn();
      return { end };
    },
    stop: () => app.close(),
  };
};
