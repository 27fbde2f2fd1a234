export { type Config, readConfig } from './config.js';
export { masked, type Servers } from './servers.js';
export { InvalidConfig } from './variables.js';
