export { Consents } from '../authorize/consents.js';
export { Grants } from '../grants/grants.js';
export { GrantsInForce } from '../grants/grants-in-force.js';
export { RevokeAgentHandler } from '../revoke-agent/revoke-agent.handler.js';
