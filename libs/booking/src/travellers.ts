import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Collection, type CollectionSpec, Documents } from '#documents';
import { DomainError, type Instant, type Party, plus } from '#kernel';

const traveller = z
  .object({
    givenName: z.string(),
    familyName: z.string(),
    birthDate: z.string().optional(),
    document: z.object({ type: z.string(), number: z.string() }).readonly().optional(),
  })
  .readonly();

const contact = z
  .object({ email: z.string().optional(), phone: z.string().optional(), declined: z.boolean().optional() })
  .readonly();

const people = { travellers: z.array(traveller).readonly().optional(), contact: contact.optional() };

export type Traveller = z.infer<typeof traveller>;
export type Contact = z.infer<typeof contact>;

/** Who flies with a booking or an order, and how to reach them; nothing: nobody was named. */
export type People = Readonly<z.infer<z.ZodObject<typeof people>>>;

/** Of something that has such members: those, where they are given. */
export const peopleIn = ({ travellers, contact }: People): People => ({
  ...(travellers && { travellers }),
  ...(contact && { contact }),
});

/** By the id of booking or order, apart from the log, so that they can be erased (docs/consistency.md, rule 27). */
export const TRAVELLERS: CollectionSpec = { name: 'travellers', indexes: [{ fields: ['holder'] }] };

const travellersDocument = z.object({ holder: z.string(), clientId: z.string(), ...people }).readonly();

/** A booking or an order. `named: false`: nobody was named for it, and nothing is read. */
interface Named {
  readonly id: string;
  readonly named?: boolean | undefined;
}

/** Who flies: what an agent said of its bookings and orders, for itself and its traveller. */
@Injectable()
export class Travellers {
  private readonly stored: Collection<z.infer<typeof travellersDocument>>;

  constructor(documents: Documents) {
    this.stored = new Collection(documents, TRAVELLERS, travellersDocument);
  }

  /** Keeps what a new thing comes with; what was kept under its id before stays. */
  async keep(id: string, { holder, clientId }: Party, given: People): Promise<void> {
    if (isNobody(given)) return;
    await this.stored.insertIfAbsent(id, { holder, clientId, ...peopleIn(given) });
  }

  /** What is not given stays. */
  async change(id: string, { holder, clientId }: Party, given: People): Promise<void> {
    if (isNobody(given)) return;
    await this.stored.update(id, (before) => ({ ...before, holder, clientId, ...peopleIn(given) }));
  }

  /** What this agent of this traveller said. */
  async of(thing: Named, party: Party): Promise<People> {
    return (await this.ofEach([thing], party)).get(thing.id) ?? {};
  }

  /** The same by id, where there is any. */
  async ofEach(things: readonly Named[], { holder, clientId }: Party): Promise<ReadonlyMap<string, People>> {
    const ids = things.filter(({ named }) => named !== false).map(({ id }) => id);
    const found = ids.length > 0 ? await this.stored.getMany(ids) : [];
    const own = found.filter(({ body }) => body.holder === holder && body.clientId === clientId);
    return new Map(own.map(({ id, body }) => [id, peopleIn(body)]));
  }

  /** Returns for how many bookings and orders there was something. */
  forgetAll(holder: string): Promise<number> {
    return this.stored.deleteAll('holder', holder);
  }
}

export const isNobody = ({ travellers, contact }: People): boolean => !travellers && !contact;

/** What a day in the life of a traveller is compared with. `departs`: the day of the flight, null where it has none. */
export interface Days {
  readonly now: Instant;
  readonly departs: string | null;
}

/** The age under which somebody sits on a lap, and from which somebody may have one of those. */
const [LAP, ADULT] = [2, 18];
/** Milliseconds that Brasília is behind UTC. */
const BEHIND_UTC = 3 * 3_600_000;

/** As many as there are passengers, all born, and an adult for each infant on the day of the flight. @throws DomainError `invalid_travellers` */
export const checkTravellers = ({ travellers }: People, passengers: number, { now, departs }: Days): void => {
  if (!travellers) return;
  const today = plus(now, -BEHIND_UTC).slice(0, 10);
  const day = departs ?? today;
  const places = [...travellers.entries()];
  const of = (message: string, found: typeof places) =>
    found.map(([place]) => ({ field: `travellers.${place}.birthDate`, message }));
  const unborn = places.filter(([, { birthDate = today }]) => birthDate > today);
  const infants = places.filter(([, { birthDate }]) => birthDate !== undefined && !isAged(birthDate, LAP, day));
  const adults = places.filter(([, { birthDate }]) => birthDate === undefined || isAged(birthDate, ADULT, day));
  const wrong = [
    ...(travellers.length === passengers
      ? []
      : [{ field: 'travellers', message: `deve ter um por passageiro: ${passengers}` }]),
    ...of('não pode ser depois de hoje', unborn),
    ...of('com menos de 2 anos no dia do voo, precisa de um adulto só seu', infants.slice(adults.length)),
  ];
  if (wrong.length > 0) throw new DomainError('invalid_travellers', wrong);
};

/** Whether somebody has that age on a day. Days are ordered as their texts are; who was born on 29 February is older on 1 March. */
const isAged = (birthDate: string, years: number, day: string): boolean =>
  `${Number(birthDate.slice(0, 4)) + years}${birthDate.slice(4)}` <= day;
