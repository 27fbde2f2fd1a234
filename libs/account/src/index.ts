export { AccountModule } from './account.module.js';
export { Histories } from './history/histories.js';
