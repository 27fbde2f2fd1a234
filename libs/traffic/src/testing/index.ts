export { callsOf, countersCost, minutesOf } from './calls.js';
export type { AgentTraffic } from '../query/get-agent-traffic.query.js';
