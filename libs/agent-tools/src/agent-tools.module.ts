import { Module } from '@nestjs/common';
import { OAuthModule } from '#oauth';
import { WebMcpController } from './webmcp.controller.js';
import { GuideController } from './guide.controller.js';
import { ManifestController } from './manifest.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { ToolCalls } from './tool-calls.js';

/**
 * The channels for agents: the WebMCP manifest and its dispatch, MCP, and the guide to them. Needs from the application,
 * globally: `IdempotentRequests`, `McpSettings` and `BrowserScript`.
 */
@Module({
  imports: [OAuthModule],
  controllers: [ManifestController, WebMcpController, McpController, GuideController],
  providers: [ToolCalls],
})
export class AgentToolsModule {}
