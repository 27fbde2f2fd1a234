export { callsOf, minutesOf } from './calls.js';
export type { AgentTraffic } from '../query/agent-traffic.reader.js';
