export { latencyBucket } from '../figures/latency.rule.js';
export { operationOf, OTHER } from '../figures/names.rule.js';
export { callsOf, minutesOf } from './calls.js';
export type { AgentTraffic } from '../query/agent-traffic.reader.js';
