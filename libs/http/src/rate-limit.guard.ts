import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { RateLimiter, type RateName } from './rate-limiter.js';
import { accessOf } from './scopes.guard.js';

const RATE_KEY = 'alcada:rate';

/** Limits a controller or an operation by address, under this rate. */
export const LimitedBy = (name: RateName) => SetMetadata(RATE_KEY, name);

/** 429 to an address that asks too often. Reads that need no token are limited unless they are marked otherwise. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly rates: RateLimiter,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const name = this.rateOf(context, request);
    if (name) this.rates.take(name, request.address);
    return true;
  }

  private rateOf(context: ExecutionContext, { method }: FastifyRequest): RateName | null {
    const operation = context.getHandler();
    const named = this.reflector.getAllAndOverride<RateName | undefined>(RATE_KEY, [operation, context.getClass()]);
    if (named) return named;
    const needsToken = Array.isArray(accessOf(this.reflector, context));
    return ['GET', 'HEAD'].includes(method) && !needsToken ? 'publicReads' : null;
  }
}
