import { type DynamicModule, Global, Module } from '@nestjs/common';
import { McpSettings } from '#agent-tools';
import { BookingSettings } from '#booking';
import { CheckoutSettings, Locators, OrderOutcomes, PaymentProcessor, RecoveryObserver } from '#checkout';
import { Documents, Leases, ReadModelStore } from '#documents';
import { Aggregates, EventStore } from '#event-store';
import { RemoteDocuments, RemotePosts } from '#remote';
import { AttachedMetadata, IdempotentRequests, RateLimiter } from '#http';
import { IdentitySettings } from '#identity';
import { Clock, Ids } from '#kernel';
import { Deliveries, Endpoints, MailSettings } from '#outbox';
import { MandateSettings } from '#mandate';
import { OAuthSettings } from '#oauth';
import { ReadModels } from '#read-models';
import { PastLogs, TransparencyLog } from '#transparency';
import { Platforms, KeptCards, UcpSettings } from '#ucp';
import type { Dependencies } from './dependencies.js';

/** Provides the ports and settings to every module. They are abstract classes, and so their own tokens. */
@Global()
@Module({})
export class DependenciesModule {
  static of(dependencies: Dependencies): DynamicModule {
    const providers = [
      { provide: Clock, useValue: dependencies.clock },
      { provide: Ids, useValue: dependencies.ids },
      { provide: EventStore, useValue: dependencies.events },
      { provide: Documents, useValue: dependencies.documents },
      { provide: ReadModelStore, useValue: dependencies.readModelStore },
      { provide: Leases, useValue: dependencies.leases },
      { provide: Aggregates, useValue: dependencies.aggregates },
      { provide: ReadModels, useValue: dependencies.readModels },
      { provide: PaymentProcessor, useValue: dependencies.processor },
      { provide: Locators, useValue: dependencies.locators },
      { provide: IdempotentRequests, useValue: dependencies.idempotent },
      { provide: AttachedMetadata, useValue: dependencies.metadata },
      { provide: RateLimiter, useValue: dependencies.rates },
      { provide: RemoteDocuments, useValue: dependencies.remoteDocuments },
      { provide: RemotePosts, useValue: dependencies.remotePosts },
      { provide: Platforms, useValue: dependencies.platforms },
      { provide: KeptCards, useValue: dependencies.keptCards },
      { provide: Endpoints, useValue: dependencies.endpoints },
      { provide: Deliveries, useValue: dependencies.deliveries },
      { provide: BookingSettings, useValue: dependencies.bookingSettings },
      { provide: CheckoutSettings, useValue: dependencies.checkoutSettings },
      { provide: OrderOutcomes, useValue: dependencies.orderOutcomes },
      { provide: MandateSettings, useValue: dependencies.mandateSettings },
      { provide: MailSettings, useValue: dependencies.mailSettings },
      { provide: McpSettings, useValue: dependencies.mcpSettings },
      { provide: RecoveryObserver, useValue: dependencies.recoveryObserver },
      { provide: IdentitySettings, useValue: dependencies.oauthSettings },
      { provide: OAuthSettings, useValue: dependencies.oauthSettings },
      { provide: UcpSettings, useValue: dependencies.ucpSettings },
      { provide: TransparencyLog, useValue: dependencies.transparency.log },
      { provide: PastLogs, useValue: new PastLogs(dependencies.transparency.past) },
    ];
    return { module: DependenciesModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
