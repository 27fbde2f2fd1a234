export { type Traffic, trafficOf } from './traffic.js';
