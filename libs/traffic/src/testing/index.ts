export { callsOf } from './calls.js';
export { minutesOf } from './minutes.js';
