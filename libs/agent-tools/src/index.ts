import { lazily } from '#kernel';

export { AgentToolsModule } from './agent-tools.module.js';
export { McpSettings } from './mcp/mcp-access.js';
export { agentPanel, connectPanel, SITE_CLIENT, VERSIONED_WEBMCP_SCRIPT } from './panel/panel.controller.js';

/** One message of MCP and its answer. It is loaded by the first: the SDK is as large as the rest of the service. */
export const mcpExchange = lazily(() => import('./mcp/exchange.js'));
