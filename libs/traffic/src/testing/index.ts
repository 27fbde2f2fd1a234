export { callsOf } from './calls.js';
export { countersCost, minutesOf } from './minutes.js';
