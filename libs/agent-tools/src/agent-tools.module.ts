import { Module } from '@nestjs/common';
import { OAuthModule } from '#oauth';
import { WebMcpController } from './call/webmcp.controller.js';
import { GuideController } from './guide/guide.controller.js';
import { ManifestController } from './manifest/manifest.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { ToolCalls } from './tool-calls.js';

/**
 * The doors for agents: the WebMCP manifest and its dispatch, MCP, and what tells of them. Needs from the application,
 * globally: `IdempotentRequests`, `McpSettings` and `BrowserScript`.
 */
@Module({
  imports: [OAuthModule],
  controllers: [ManifestController, WebMcpController, McpController, GuideController],
  providers: [ToolCalls],
})
export class AgentToolsModule {}
