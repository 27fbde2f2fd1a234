import { Module } from '@nestjs/common';
import { Attempts } from './attempts.js';
import { PilotClient } from './pilot-client.js';
import { PlaygroundController } from './playground.controller.js';
import { PlaygroundTokensController } from './playground-tokens.controller.js';

/** The playground. Wants `OAuthSettings`, `Documents`, `Clock` globally; beside it `OAuthModule` and `SiteModule`. */
@Module({
  controllers: [PlaygroundController, PlaygroundTokensController],
  providers: [Attempts, PilotClient],
})
export class PlaygroundModule {}
