export { type Config, isOfThisMachine, masked, readConfig, type Servers } from './config.js';
export { InvalidConfig } from './variables.js';
