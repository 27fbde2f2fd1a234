export { type AgencyCommand, agencyDecider } from './agency.decider.js';
export { AgencyModule } from './agency.module.js';
export { type Agency, type CapUse, capOf, type KnownAgency, type OpenMandate, usedOf } from './agency.state.js';
export { type AgentListItem, agentsProjection } from './agents.projection.js';
export { GetAgency } from './get-agency.query.js';
export { judgeAgent } from './judge-agent.js';
export { ListAgents } from './list-agents.query.js';
export { SetSpendingCap } from './set-spending-cap.command.js';
