export { agentFactsProjection } from './agent-facts.projection.js';
export { agentTrafficProjection } from './agent-traffic.projection.js';
export { type Traffic, trafficOf } from './traffic.js';
export { TrafficModule } from './traffic.module.js';
