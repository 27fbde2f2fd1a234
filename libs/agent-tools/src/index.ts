export { AgentToolsModule } from './agent-tools.module.js';
export { BrowserScript } from './manifest.controller.js';
export { McpSettings } from './mcp/mcp-access.js';
