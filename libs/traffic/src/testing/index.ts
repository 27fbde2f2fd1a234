export { callsOf, countersCost, minutesOf } from './calls.js';
