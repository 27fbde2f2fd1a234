export { Consents } from '../authorize/consents.js';
export { ActiveGrants, Grants } from '../grants/grants.js';
export { RevokeAgentHandler } from '../revoke-agent/revoke-agent.js';
export { callApi, locationOf } from './agent.js';
export { Browser, formTo } from './browser.js';
export { type Received, send } from './send.js';
export { startTestServer, type TestServer } from './test-server.js';
export { HOST, ISSUER, PASSWORD, PILOT } from './test-settings.js';
