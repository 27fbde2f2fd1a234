export { agentPanel } from './agent-panel.js';
export { VERSIONED_WEBMCP_SCRIPT, WEBMCP_SCRIPT } from './scripts.js';
export { SITE_CLIENT } from './site-client.js';
export { WebMcpModule } from './webmcp.module.js';
