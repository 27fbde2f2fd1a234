export { AgentToolsModule } from './agent-tools.module.js';
export { connectPanel, COPY_SCRIPT } from './connect.js';
export { BrowserScript } from './manifest.controller.js';
export { McpSettings } from './mcp/mcp-access.js';
