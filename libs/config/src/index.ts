export { type Config, isOfThisMachine, masked, readConfig, type Servers } from './config.js';
export { nearMisses } from './near-misses.js';
export { InvalidConfig } from './variables.js';
