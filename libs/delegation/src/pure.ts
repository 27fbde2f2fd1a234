export { agentsProjection } from './agents.projection.js';
export { delegations } from './delegation.decider.js';
