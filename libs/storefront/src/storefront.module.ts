import { Module } from '@nestjs/common';
import { CatalogModule } from '#catalog';
import { KnownAirports } from './airports.js';
import { CrawlersController } from './crawlers.controller.js';
import { ErrorPagesController } from './errors/error-pages.controller.js';
import { StorefrontController } from './storefront.controller.js';
import { VerificationController } from './verification/verification.controller.js';

/** The public pages. Needs `SiteModule` and `AgentToolsModule`, whose files its pages refer to, and `McpSettings`, globally. */
@Module({
  imports: [CatalogModule],
  controllers: [StorefrontController, CrawlersController, VerificationController, ErrorPagesController],
  providers: [KnownAirports],
})
export class StorefrontModule {}
