export { agentPanel, SITE_CLIENT } from './agent-panel.js';
export { VERSIONED_WEBMCP_SCRIPT, WEBMCP_SCRIPT } from './scripts.js';
export { WebMcpModule } from './webmcp.module.js';
