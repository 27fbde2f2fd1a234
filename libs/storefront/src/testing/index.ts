export { ENGLISH } from '../reference/english.js';
