import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { CHARGE_SCOPES, type Context, DomainError, Ids, type Money, type Party } from '#kernel';
import { AlignAgent, type Delegation, delegations, heldBy, type KnownDelegation, pauses } from '#mandate';
import { Clients } from '#oauth';

/** What a platform may do that is let in without a token: what it may spend in all (null: no limit), and whether it asks each time. */
export interface Admission {
  readonly cap: Money | null;
  readonly asksFirst: boolean;
}

/** Lets platforms in as agents of travellers who did not link them. */
@Injectable()
export class Admissions {
  constructor(
    private readonly clients: Clients,
    private readonly aggregates: Aggregates,
    private readonly commands: CommandBus,
    private readonly ids: Ids,
  ) {}

  /** Lets a platform in once: as it stands, where its traveller knows it, and after a revocation it stays out. @throws DomainError `agents_paused` */
  async letIn(party: Party, profile: string, admission: Admission, context: Context): Promise<KnownDelegation> {
    const { state: known }: { readonly state: Delegation } = await this.aggregates.load(delegations, party);
    if (known.status !== 'unknown') return known;
    const { holder, clientId } = party;
    const pause = await this.pauseOf(holder);
    if (pause !== undefined) throw new DomainError('agents_paused');
    const name = new URL(profile).host;
    const client = { clientId, name, secretHash: null, redirectUris: [], pilot: false } as const;
    await this.clients.add({ ...client, registration: 'metadata', metadataUrl: profile });
    const said = {
      holder,
      clientId,
      grantId: this.ids.next(),
      scopes: CHARGE_SCOPES,
      redirectHost: name,
      ...admission,
    };
    const authorize = { type: 'AuthorizeAgent', ...said, isFirst: true } as const;
    const { state } = await this.aggregates.handle(delegations, party, authorize, context);
    // A pause of everything that was not seen before the append has not seen it either (docs/consistency.md, rule 41).
    if ((await this.pauseOf(holder)) !== undefined) await this.commands.execute(new AlignAgent(party, context));
    if (state.status === 'unknown') throw new Error('an agent is known once it is let in');
    return state;
  }

  /** The pause of everything that is in force for a traveller; undefined: none is. */
  async pauseOf(holder: string): Promise<number | undefined> {
    return heldBy((await this.aggregates.load(pauses, holder)).state);
  }
}
