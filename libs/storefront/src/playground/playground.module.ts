import { Module } from '@nestjs/common';
import { Attempts } from './attempts.js';
import { PilotClient } from './pilot-client.js';
import { PlaygroundController } from './playground.controller.js';
import { PlaygroundTokensController } from './playground-tokens.controller.js';

/**
 * The playground, a client like any other that is part of this program. Needs from the application, globally:
 * `OAuthSettings`, `Documents`, `Clock`; and beside it `OAuthModule`, whose endpoints it calls, and `SiteModule`.
 */
@Module({
  controllers: [PlaygroundController, PlaygroundTokensController],
  providers: [Attempts, PilotClient],
})
export class PlaygroundModule {}
