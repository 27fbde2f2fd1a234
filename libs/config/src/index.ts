export { type Config, InvalidConfig, readConfig } from './config.js';
