import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountModule, AuditorModule, PurchasePagesModule } from '#portal';
import { AgentToolsModule } from '#agent-tools';
import { BookingModule } from '#booking';
import { CatalogModule } from '#catalog';
import { MandateModule } from '#mandate';
import { ErrorFilter, GUARDS } from '#http';
import { OAuthModule, RevokeAgentModule } from '#oauth';
import { OrderModule } from '#order';
import { OutboxModule } from '#outbox';
import { DemonstrationModule, PlaygroundModule, StorefrontModule } from '#storefront';
import { type Dependencies, DependenciesModule } from '#runtime';
import { SiteModule } from '#site';
import { TrafficModule } from '#traffic';
import { UcpModule } from '#ucp';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';
import { PastTlogController, TlogController } from './tlog.controller.js';

@Module({})
export class AppModule {
  static of(dependencies: Dependencies, readiness: Readiness): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        DependenciesModule.of(dependencies),
        OAuthModule,
        ...(dependencies.oauthSettings.playground ? [PlaygroundModule] : []),
        ...(dependencies.oauthSettings.shownAccount ? [DemonstrationModule] : []),
        SiteModule,
        CatalogModule,
        BookingModule,
        MandateModule,
        OrderModule,
        OutboxModule,
        RevokeAgentModule,
        AccountModule,
        AuditorModule,
        AgentToolsModule,
        StorefrontModule,
        TrafficModule,
        ...(dependencies.platforms ? [UcpModule, PurchasePagesModule] : []),
      ],
      controllers: [HealthController, TlogController, PastTlogController],
      providers: [
        { provide: Readiness, useValue: readiness },
        ...GUARDS,
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
