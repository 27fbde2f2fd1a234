export { Consents } from '../authorize/consents.js';
export { Grants } from '../grants/grants.js';
export { ActiveGrants } from '../grants/active-grants.js';
export { RevokeAgentHandler } from '../revoke-agent/revoke-agent.handler.js';
