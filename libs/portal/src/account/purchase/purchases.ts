import type { Card } from '#checkout';
import type { Line } from '#events';
import type { BaseUrls } from '#http';
import type { Cause, Context, Instant, Money } from '#kernel';
import type { CapUse } from '#mandate';
import type { ChallengeDetails } from '#order';

/** Who looks at a session, as their account has them. */
export interface Onlooker {
  readonly holder: string;
  readonly email: string;
}

/** What a platform says of a buyer. */
interface NamedBuyer {
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone_number?: string | undefined;
}

/** What a traveller decides on, and what their decision does beside buying it. */
export interface Offer {
  readonly line: Line;
  /** What the platform says of the buyer, where it means the account that looks; null: it says nothing of it. */
  readonly buyer: NamedBuyer | null;
  /** Whether it names somebody who is not known to be the account that looks. */
  readonly isForOther: boolean;
  /** The platform's limit, and what it becomes; null: the purchase fits it as it is. */
  readonly raised: { readonly from: Money; readonly to: Money } | null;
  /** What the platform was shown last, where it was another price; null: this one. */
  readonly before: Money | null;
  readonly expiresAt: Instant;
  /** Stands for all that the page shows: a decision by another page is about something else. */
  readonly shown: string;
}

/** Why a traveller cannot buy now what nobody else has bought. */
export type Bar =
  | { readonly kind: 'agents_paused' | 'agent_revoked' }
  /** The purchase does not fit the limit of a platform that spends without asking. */
  | { readonly kind: 'cap'; readonly cap: CapUse }
  | { readonly kind: 'problem'; readonly texts: readonly string[] };

/** How a session stands for a traveller who opens its page. */
export type Standing =
  | { readonly kind: 'open'; readonly offer: Offer }
  /** They approved the payment, and have to give the card again. */
  | { readonly kind: 'approved'; readonly offer: Offer; readonly mandateId: string }
  | { readonly kind: 'barred'; readonly bar: Bar }
  | { readonly kind: 'challenged'; readonly orderId: string }
  | { readonly kind: 'bought'; readonly orderId: string }
  /** `elsewhere`: another traveller has it. */
  | { readonly kind: 'under_way' | 'elsewhere' | 'refused' | 'canceled' | 'expired' };

/** Why nothing was bought, where how the session stands does not say it. */
export type Refusal = { readonly kind: 'changed' | 'other_card' } | { readonly kind: 'refused'; readonly text: string };

export interface FoundPurchase {
  /** `platform`: the address of its profile; `isProven`: whether it proved to be that platform. */
  readonly session: {
    readonly id: string;
    readonly body: {
      readonly platform: string;
      readonly isProven: boolean;
      readonly line: { readonly title: string };
    };
  };
  readonly standing: Standing;
}

/** A session after a decision on it; `refusal` null: how it stands says all that came of it. */
export interface Decided extends FoundPurchase {
  readonly refusal: Refusal | null;
}

/** By which card a traveller buys, and what they were shown. It is in memory only. */
export interface Decision {
  readonly card: Card;
  readonly shown: string | undefined;
}

/** What travellers decide on what platforms put together (docs/ucp.md, The traveller's page); platforms themselves are `#ucp`, which stands above. */
export abstract class TravellerPurchases {
  /** null: there is no such session. */
  abstract find(id: string, who: Onlooker): Promise<FoundPurchase | null>;

  /** Whether this is a purchase that its traveller decided on at a session's page. */
  abstract isOne(bookingId: string): Promise<boolean>;

  /** Ends what a purchase leaves whose payment was denied: nothing that anything could be charged to. */
  abstract denied(challenge: Pick<ChallengeDetails, 'bookingId' | 'mandateId'>, context: Context): Promise<void>;

  /** Wants none of it; what is under way or over stays as it is. null: there is no such session. */
  abstract refuse(id: string, who: Onlooker): Promise<FoundPurchase | null>;

  /** Buys what the page showed, for no more than it said. null: there is no such session. @throws Unavailable where nobody knows yet */
  abstract buy(
    id: string,
    who: Onlooker,
    decision: Decision,
    origin: { readonly urls: BaseUrls; readonly cause: Cause },
  ): Promise<Decided | null>;
}
