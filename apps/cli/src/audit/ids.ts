import { categoryOf, idOf as idIn } from '#events';
import type { EventStore, RawEvent } from '#event-store';
import { ERASED, isId } from '#kernel';
import { oauthSettings, type Ports, progressLine, type Screen } from '#runtime';
import type { Config } from '#config';
import { Accounts, Passwords } from '#identity';

/** As many characters of an id as the tables show, or more. */
const BEGINNING = /^[0-9a-f]{8}[0-9a-f-]*$/;

/** What is printed on a ticket or a receipt of an order: thirteen digits, perhaps behind `R-`. */
const TICKET = /^(?:R-)?(\d{13})$/i;

/** The id that is meant: itself, the only one in the log that begins so, or the order of a ticket. @throws Error for the operator */
export const idOf = async (
  category: 'mandate' | 'order' | 'booking',
  given: string,
  events: EventStore,
  screen: Screen,
): Promise<string> => {
  if (isId(given)) return given;
  const ticket = category === 'order' ? TICKET.exec(given)?.[1] : undefined;
  if (ticket === undefined && !BEGINNING.test(given)) throw new Error(`${given} is no id (${category})`);
  const end = await events.head();
  const onProgress = progressLine('Looking through the log', screen);
  const found = new Set<string>();
  const isMeant = ({ stream, type, data }: RawEvent): boolean =>
    ticket === undefined ? idIn(stream).startsWith(given) : type === 'OrderPaid' && data.includes(`"${ticket}"`);
  for await (const page of events.readPages(null)) {
    for (const event of page)
      if (categoryOf(event.stream) === category && isMeant(event)) found.add(idIn(event.stream));
    const last = page.at(-1);
    if (last && end) onProgress(Math.min(1, Number(last.position) / Number(end.position)));
  }
  const [only, ...more] = found;
  if (only === undefined)
    throw new Error(ticket === undefined ? `no ${category} begins with ${given}` : `no order has the ticket ${ticket}`);
  if (more.length > 0) throw new Error(`several begin with ${given}: ${[...found].join(', ')}`);
  return only;
};

/** The e-mail of a traveller; nobody's where there is no account any more, since its data have been erased. */
export const travellerOf = async ({ documents, ids }: Ports, config: Config, holder: string): Promise<string> => {
  const accounts = new Accounts(documents, ids, new Passwords(oauthSettings(config)));
  await accounts.prepare();
  return (await accounts.emailOf(holder)) ?? ERASED;
};
