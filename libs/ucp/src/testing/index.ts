export * from './signing-platform.js';
export { closedBy, rootMandate, sha256, testKey, type TestKey } from '../ap2/testing/test-platform.js';
export { agentOf } from '../platform-agent.js';
