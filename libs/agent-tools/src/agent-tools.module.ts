import { Module } from '@nestjs/common';
import { BookingModule } from '#booking';
import { CatalogModule } from '#catalog';
import { MandateModule } from '#mandate';
import { OAuthModule } from '#oauth';
import { OrderModule } from '#order';
import { OutboxModule } from '#outbox';
import { WebMcpController } from './webmcp.controller.js';
import { GuideController } from './guide.controller.js';
import { ManifestController } from './manifest.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { PanelController } from './panel/panel.controller.js';
import { Readers } from './tool.js';
import { ToolCalls } from './run-tool.js';

/** The channels for agents. Wants `IdempotentRequests` and `McpSettings` globally. */
@Module({
  imports: [BookingModule, CatalogModule, MandateModule, OAuthModule, OrderModule, OutboxModule],
  controllers: [ManifestController, WebMcpController, McpController, PanelController, GuideController],
  providers: [Readers, ToolCalls],
})
export class AgentToolsModule {}
