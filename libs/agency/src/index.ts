export { type AgencyCommand, agencyDecider } from './agency.decider.js';
export { type Agency, type CapUse, capOf, type OpenMandate, usedOf } from './agency.state.js';
export { judgeAgent } from './judge-agent.js';
