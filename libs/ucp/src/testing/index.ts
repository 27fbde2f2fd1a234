export * from './signing-platform.js';
export { agentOf } from '../platform-agent.js';
