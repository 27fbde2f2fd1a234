import { Module } from '@nestjs/common';
import { WebMcpController } from './webmcp.controller.js';

/** The agents' tools in a browser: the script, and the page that connecting one comes back to. */
@Module({ controllers: [WebMcpController] })
export class WebMcpModule {}
