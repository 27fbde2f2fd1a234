import { Module } from '@nestjs/common';
import { OAuthModule } from '#oauth';
import { UcpRequests } from './platform/ucp-requests.js';
import { ProfileController, ProfileHandlers } from './profile/profile.controller.js';

/** What agents of others buy by. Wants `Platforms` globally. */
@Module({
  imports: [OAuthModule],
  controllers: [ProfileController],
  providers: [UcpRequests, ProfileHandlers],
  exports: [UcpRequests],
})
export class UcpModule {}
