import { type DynamicModule, Global, Module } from '@nestjs/common';
import { BrowserScript, McpSettings } from '#agent-tools';
import { Documents, ReadModelStore } from '#documents';
import { Aggregates, EventStore } from '#event-store';
import { IdempotentRequests, RateLimiter } from '#http';
import { Clock, Ids } from '#kernel';
import { MandateSettings } from '#mandate';
import { OAuthSettings } from '#oauth';
import { OrderSettings } from '#order';
import { PaymentProcessor } from '#payment';
import { ReadModels } from '#read-models';
import { WEBMCP_SCRIPT } from '#webmcp';
import type { Parts } from './parts.js';
import { Readiness } from './readiness.js';

/** Gives every room the ports, which are abstract classes and so their own tokens, and the settings. */
@Global()
@Module({})
export class PartsModule {
  static of(parts: Parts, oauth: OAuthSettings): DynamicModule {
    const providers = [
      { provide: Clock, useValue: parts.clock },
      { provide: Ids, useValue: parts.ids },
      { provide: EventStore, useValue: parts.events },
      { provide: Documents, useValue: parts.documents },
      { provide: ReadModelStore, useValue: parts.readModelStore },
      { provide: Aggregates, useValue: parts.aggregates },
      { provide: ReadModels, useValue: parts.readModels },
      { provide: PaymentProcessor, useValue: parts.processor },
      { provide: IdempotentRequests, useValue: parts.idempotent },
      { provide: Readiness, useValue: parts.readiness },
      { provide: RateLimiter, useValue: parts.rates },
      { provide: OrderSettings, useValue: parts.orderSettings },
      { provide: MandateSettings, useValue: parts.mandateSettings },
      { provide: McpSettings, useValue: parts.mcpSettings },
      { provide: BrowserScript, useValue: WEBMCP_SCRIPT },
      { provide: OAuthSettings, useValue: oauth },
    ];
    return { module: PartsModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
