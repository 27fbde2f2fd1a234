import type { Mutation } from './mutation.js';
import { CANCELLING_GUARDS } from './mutations/cancelling.js';
import { DAY_GUARDS } from './mutations/days.js';
import { DELEGATION_GUARDS } from './mutations/delegations.js';
import { EVENT_GUARDS } from './mutations/events.js';
import { KEY_GUARDS } from './mutations/keys.js';
import { LOG_GUARDS } from './mutations/log.js';
import { MANDATE_GUARDS } from './mutations/mandates.js';
import { ORDER_GUARDS } from './mutations/orders.js';
import { PLATFORM_GUARDS } from './mutations/platforms.js';
import { SEALING_GUARDS } from './mutations/sealing.js';

/** Every guard, by rule; docs/consistency.md lists their tests. */
export const MUTATIONS: readonly Mutation[] = [
  ...ORDER_GUARDS,
  ...MANDATE_GUARDS,
  ...DELEGATION_GUARDS,
  ...LOG_GUARDS,
  ...KEY_GUARDS,
  ...SEALING_GUARDS,
  ...CANCELLING_GUARDS,
  ...DAY_GUARDS,
  ...EVENT_GUARDS,
  ...PLATFORM_GUARDS,
].toSorted((one, other) => one.rule - other.rule);
