export * from './pure.js';
export { type DelegationCommand, delegationDecider } from './delegation.decider.js';
export { DelegationModule } from './delegation.module.js';
export type { Delegation, KnownDelegation, OpenMandate } from './delegation.state.js';
export { type AgentListItem } from './agents.projection.js';
export { Agents, requireAuthorizedAgent } from './agents.js';
export { SetApprovalMode, SetSpendingCap } from './set-approval-mode.js';
export { isStrangerId, mustAsk, strangerId } from './strangers.rule.js';
export { capOf, capRefusal, type CapUse, endedBy, usedOf } from './spending-cap.rule.js';
