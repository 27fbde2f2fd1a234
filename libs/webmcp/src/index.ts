export { agentPanel, SITE_CLIENT } from './agent-panel.js';
export { VERSIONED_WEBMCP_SCRIPT, WEBMCP_SCRIPT, WebMcpModule } from './webmcp.module.js';
