export { PlaygroundModule } from './playground.module.js';
