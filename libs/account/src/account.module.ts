import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { OAuthModule } from '#oauth';
import { ChallengeController } from './challenge/challenge.controller.js';
import { ChallengePages } from './challenge/challenge-pages.js';

/** The travellers' own pages. Needs `Clock` from the application, globally, and `SiteModule`, whose stylesheet they use. */
@Module({
  imports: [CqrsModule, OAuthModule],
  controllers: [ChallengeController],
  providers: [ChallengePages],
})
export class AccountModule {}
