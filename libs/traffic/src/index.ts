export * from './pure.js';
export type { AgentTrafficView } from './query/agent-traffic.view.js';
export { type Traffic, trafficOf } from './traffic.js';
export { TrafficModule } from './traffic.module.js';
