export { AgentToolsModule } from './agent-tools.module.js';
export { connectPanel } from './connect.js';
export { BrowserScript } from './manifest.controller.js';
export { McpSettings } from './mcp/mcp-access.js';
