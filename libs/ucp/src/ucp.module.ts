import { Module } from '@nestjs/common';
import { CatalogModule } from '#catalog';
import { OAuthModule } from '#oauth';
import { UcpCatalog } from './catalog/ucp-catalog.js';
import { UcpCatalogController } from './catalog/ucp-catalog.controller.js';
import { UcpRequests } from './platform/ucp-requests.js';
import { ProfileController, ProfileHandlers } from './profile/profile.controller.js';

/** What agents of others buy by. Wants `Platforms` globally. */
@Module({
  imports: [CatalogModule, OAuthModule],
  controllers: [ProfileController, UcpCatalogController],
  providers: [UcpRequests, UcpCatalog, ProfileHandlers],
  exports: [UcpRequests],
})
export class UcpModule {}
