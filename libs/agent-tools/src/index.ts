export { AgentToolsModule } from './agent-tools.module.js';
export { McpSettings } from './mcp/mcp-access.js';
export { agentPanel, connectPanel, SITE_CLIENT, VERSIONED_WEBMCP_SCRIPT } from './panel/panel.controller.js';
