export { refusedCharge } from './charge.rule.js';
export { mandates } from './mandate.decider.js';
export { type OpenMandateItem, openMandatesProjection } from './open-mandates.projection.js';
export { mandatesProjection } from './read-mandates/mandates.projection.js';
export { agentsProjection } from './delegation/agents.projection.js';
export { pauses } from './pause/pause.decider.js';
export { delegations } from './delegation/delegation.decider.js';
export { type GrantedMandate, grantedOf, isPaused, type Mandate, statusOf } from './mandate.state.js';
