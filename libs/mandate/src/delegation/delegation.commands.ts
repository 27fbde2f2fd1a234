import type { Instant, Money, Scope, Stamped } from '#kernel';
import type { OpenMandate } from './delegation.state.js';

export type DelegationCommand =
  | {
      readonly type: 'AuthorizeAgent';
      readonly holder: string;
      readonly clientId: string;
      readonly grantId: string;
      readonly scopes: readonly Scope[];
      /** Sets the cap in the same append, so that nobody is authorized without it; null: no cap, absent: as it was. */
      readonly cap?: Money | null;
      /** The host to which its code goes. */
      readonly redirectHost?: string;
      /** Whether the agent asks for each mandate from now on; absent: as it was. */
      readonly asksFirst?: boolean;
      /** Where `asksFirst` is absent, it asks, unless its traveller let it in once (`known`), or it is let in now (`authorized`). */
      readonly asksFirstUnless?: 'known' | 'authorized';
      /** By a consent from before, which the traveller was not asked for again: it ends with the authorization. */
      readonly isRemembered?: boolean;
      /** It is let in without a consent: one that its traveller knows stays as it stands. */
      readonly isFirst?: boolean;
      /** Mandates that its traveller decided with it: all of them are opened in the same append, or nothing is written. */
      readonly opening?: readonly (OpenMandate & { readonly mandateId: string })[];
      readonly atMost?: number;
      /** Its traveller has paused everything: so is this agent, in the same append. */
      readonly pause?: number | undefined;
    }
  | {
      readonly type: 'OpenMandate';
      readonly mandateId: string;
      readonly limit: Money;
      readonly expiresAt: Instant;
      /** Mandates the agent may have open at once; 0: any number, absent: 100. */
      readonly atMost?: number;
      /** Decided by the traveller: it opens also where the agent has to ask, on these terms. */
      readonly isDecided?: boolean;
      /** What is open stays as it was first opened. */
      readonly isFirst?: boolean;
    }
  /** What of an open mandate counts from now on, after its own stream narrowed it. */
  | {
      readonly type: 'NarrowMandate';
      readonly mandateId: string;
      readonly limit: Money;
      readonly expiresAt: Instant;
    }
  /** `consumed` null: nothing, since it was never created. */
  | { readonly type: 'CloseMandate'; readonly mandateId: string; readonly consumed: Money | null }
  /** What came back of an order, once. `wasCounted`: whether its mandate, if it is closed, counts as spent; null: nobody looked. */
  | {
      readonly type: 'CountRefund';
      readonly mandateId: string;
      readonly orderId: string;
      readonly amount: Money;
      readonly departsAt: Instant | null;
      readonly wasCounted: boolean | null;
      readonly countBefore: Instant;
    }
  | { readonly type: 'SetSpendingCap'; readonly cap: Money | null }
  | { readonly type: 'SetApprovalMode'; readonly asksFirst: boolean }
  /** With all agents of its traveller (rule 41). */
  | { readonly type: 'PauseAgent' | 'ResumeAgent'; readonly pause: number }
  | { readonly type: 'RevokeAgent' };

export type CommandOf<Type extends DelegationCommand['type']> = Stamped<Extract<DelegationCommand, { type: Type }>>;
