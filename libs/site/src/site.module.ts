import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';

/** What the pages of the service share and serve. */
@Module({ controllers: [AssetsController] })
export class SiteModule {}
