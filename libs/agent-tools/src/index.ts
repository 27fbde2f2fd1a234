export { AgentToolsModule } from './agent-tools.module.js';
export { BrowserScript } from './manifest/browser-script.js';
export { McpSettings } from './mcp/mcp-settings.js';
