export { type Agency, type AgencyCommand, agencyDecider, type OpenMandate } from './agency.decider.js';
