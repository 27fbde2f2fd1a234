export * from './pure.js';
export { type DelegationCommand, delegationDecider } from './delegation.decider.js';
export { DelegationModule } from './delegation.module.js';
export type { Delegation, KnownDelegation, OpenMandate } from './delegation.state.js';
export { type AgentListItem } from './agents.projection.js';
export { GetDelegation, requireAuthorizedAgent } from './get-delegation.js';
export { ListAgents } from './list-agents.js';
export { SetSpendingCap } from './set-spending-cap.command.js';
export { capOf, capRefusal, type CapUse, endedBy, usedOf } from './spending-cap.rule.js';
