import { Module } from '@nestjs/common';
import { CatalogModule } from '#catalog';
import { KnownAirports } from './airports.js';
import { CrawlersController } from './crawlers.controller.js';
import { DemonstrationController } from './demonstration/demonstration.controller.js';
import { ErrorPagesController } from './errors/error-pages.controller.js';
import { StorefrontController, VerificationController } from './storefront.controller.js';
import { Attempts } from './playground/attempts.js';
import { PilotClient } from './playground/pilot-client.js';
import { PlaygroundController, PlaygroundTokensController } from './playground/playground.controller.js';

/** The public pages. Needs `SiteModule` and `AgentToolsModule`, whose files its pages refer to, and `McpSettings`, globally. */
@Module({
  imports: [CatalogModule],
  controllers: [StorefrontController, CrawlersController, VerificationController, ErrorPagesController],
  providers: [KnownAirports],
})
export class StorefrontModule {}

/** A purchase to watch. Wants `OAuthSettings` with an account to show, and `Clock`, globally; beside it `SiteModule` and what agents buy by. */
@Module({ controllers: [DemonstrationController] })
export class DemonstrationModule {}

/** The playground. Wants `OAuthSettings`, `Documents`, `Clock` globally; beside it `OAuthModule` and `SiteModule`. */
@Module({
  controllers: [PlaygroundController, PlaygroundTokensController],
  providers: [Attempts, PilotClient],
})
export class PlaygroundModule {}
