export * from './pure.js';
export { type Committed, endedUnder, playedUnder, type Spending, spendingOf } from './read-mandates/agent-spending.js';
export { listedMandates, Mandates, type MandatesAt } from './read-mandates/mandates.js';
export {
  type Charge,
  chargeRefusal,
  type ConstraintName,
  forbiddenBy,
  isOrderedOut,
  type Purchase,
  spendable,
} from './charge.rule.js';
export type { MandateCommand } from './mandate.commands.js';
export { mandateDecider } from './mandate.decider.js';
export { handleMandate, loadMandate, type MandateAt } from './read-mandates/load-mandate.js';
export { ApproveMandate } from './approve-mandate.js';
export { MandatePurposes, MandatePurposesModule } from './mandate-purposes.js';
export { PENDING_MANDATES, PendingMandates } from './pending-mandates.js';
export { MandateModule } from './mandate.module.js';
export { CreateMandate, MandateSettings, type MandateTerms } from './create-mandate/create-mandate.js';
export { type MandateStatus, remainingOf, reservedOf } from './mandate.state.js';
export { everyOpenMandate, revokeMandates } from './revoke-every-mandate.js';
export { MandatesOfAgent, type MandatesOfAgentPage, type MandateUse } from './read-mandates/mandates-of-agent.js';
export type { HistoryPage } from './read-mandates/mandate-history.js';
export { refusalWords } from './refusal-words.js';
export type { HistoryEntry, HistoryLine } from './read-mandates/mandate-lines.js';
export { MandateView, mandateView, POLL_AFTER_SECONDS } from './mandate.view.js';
export { type MandateListItem } from './read-mandates/mandates.projection.js';
export { NarrowMandate, PauseMandate, ResumeMandate, RevokeMandate } from './change-mandate.js';
export { lowestLimit, SHORTEST_REST } from './traveller-decisions.rule.js';
export { CreateMandateDto } from './mandate.dto.js';
export { mandateOperation, readMandate, revokedMandate, termsOf } from './mandate-requests.js';
export { type DelegationCommand, delegationDecider } from './delegation/delegation.decider.js';
export { type AgentListItem } from './delegation/agents.projection.js';
export { Agents, requireAuthorizedAgent } from './delegation/agents.js';
export { SetApprovalMode } from './delegation/set-approval-mode.js';
export { EndMandates, SetSpendingCap } from './delegation/set-spending-cap.js';
export { type Delegation, type KnownDelegation, mustAsk, type OpenMandate } from './delegation/delegation.state.js';
export { capOf, capRefusal, type CapUse, endedBy, usedOf } from './delegation/spending-cap.rule.js';
