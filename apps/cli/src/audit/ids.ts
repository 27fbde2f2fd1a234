import { categoryOf, idOf as idIn } from '#events';
import type { EventStore } from '#event-store';
import { ERASED, isId } from '#kernel';
import { oauthSettings, type Ports, progressLine, type Screen } from '#runtime';
import type { Config } from '#config';
import { Accounts, Passwords } from '#identity';

/** As many characters of an id as the tables show, or more. */
const BEGINNING = /^[0-9a-f]{8}[0-9a-f-]*$/;

/** The id that is meant: itself, or the only one in the log that begins so. @throws Error for the operator */
export const idOf = async (
  category: 'mandate' | 'order' | 'booking',
  given: string,
  events: EventStore,
  screen: Screen,
): Promise<string> => {
  if (isId(given)) return given;
  if (!BEGINNING.test(given)) throw new Error(`${given} is no id (${category})`);
  const end = await events.head();
  const onProgress = progressLine('Looking through the log', screen);
  const found = new Set<string>();
  for await (const page of events.readPages(null)) {
    for (const { stream } of page)
      if (categoryOf(stream) === category && idIn(stream).startsWith(given)) found.add(idIn(stream));
    const last = page.at(-1);
    if (last && end) onProgress(Math.min(1, Number(last.position) / Number(end.position)));
  }
  const [only, ...more] = found;
  if (only === undefined) throw new Error(`no ${category} begins with ${given}`);
  if (more.length > 0) throw new Error(`several begin with ${given}: ${[...found].join(', ')}`);
  return only;
};

/** The e-mail of a traveller. Whoever has no account any more is nobody: their data have been erased. */
export const travellerOf = async ({ documents, ids }: Ports, config: Config, holder: string): Promise<string> => {
  const accounts = new Accounts(documents, ids, new Passwords(oauthSettings(config)));
  await accounts.prepare();
  return (await accounts.emailOf(holder)) ?? ERASED;
};
