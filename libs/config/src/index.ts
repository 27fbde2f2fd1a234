export * from './config.js';
export { InvalidConfig } from './invalid-config.js';
export { masked, type Servers } from './servers.js';
