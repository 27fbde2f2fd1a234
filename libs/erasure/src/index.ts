export { eraseHolder, type Erased, openErasure } from './erase-holder.js';
