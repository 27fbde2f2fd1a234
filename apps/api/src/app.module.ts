import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountModule } from '#account';
import { DelegationModule } from '#delegation';
import { AgentToolsModule } from '#agent-tools';
import { BookingModule } from '#booking';
import { CatalogModule } from '#catalog';
import { ErrorFilter, RateLimitGuard, ScopesGuard } from '#http';
import { MandateModule } from '#mandate';
import { OAuthModule, type OAuthSettings, PlaygroundModule, RevokeAgentModule } from '#oauth';
import { OrderModule } from '#order';
import { SiteModule } from '#site';
import { StorefrontModule } from '#storefront';
import { TrafficModule } from '#traffic';
import { WebMcpModule } from '#webmcp';
import { HealthController } from './health.controller.js';
import { PartsModule } from './parts.module.js';
import type { Parts } from './parts.js';

@Module({})
export class AppModule {
  static of(parts: Parts, oauth: OAuthSettings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        PartsModule.of(parts, oauth),
        OAuthModule,
        ...(oauth.playground ? [PlaygroundModule] : []),
        SiteModule,
        CatalogModule,
        BookingModule,
        DelegationModule,
        MandateModule,
        OrderModule,
        RevokeAgentModule,
        AccountModule,
        AgentToolsModule,
        StorefrontModule,
        WebMcpModule,
        TrafficModule,
      ],
      controllers: [HealthController],
      providers: [
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: ScopesGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
