export { agentFactsProjection } from './agent-facts.projection.js';
export { agentTrafficProjection } from './agent-traffic.projection.js';
