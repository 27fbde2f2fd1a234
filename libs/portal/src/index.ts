export { AccountModule, PurchasePagesModule } from './account/account.module.js';
export {
  type Bar,
  type Decided,
  type Decision,
  type FoundPurchase,
  type Offer,
  type Onlooker,
  type Refusal,
  type Standing,
  TravellerPurchases,
} from './account/purchase/purchases.js';
export { AgentTokens, type TokensOfAgent } from './account/payment-tokens/agent-tokens.js';
export { type AddedToWallet, TravellerWallet, type WalletCard } from './account/wallet/traveller-wallet.js';
export { Histories } from './account/history/histories.js';
export { AuditorModule } from './auditor/auditor.module.js';
export { auditLog } from './auditor/audit-log.decider.js';
export { TICKET_WEIGHT, ticketOf } from './tickets/ticket-pdf.js';
export { ticketCalendar } from './tickets/ticket-calendar.js';
