import type { Leases } from '#documents';
import type { Aggregates } from '#event-store';
import { type Cancel, type Clock, type Instant, systemContext } from '#kernel';
import { dateAt, later } from './local-time.rule.js';
import { DAYS_ON_SALE, type SaleDays, saleDays } from './timetable.decider.js';

const CONTEXT = systemContext('catalog-days');

/** Opens what is not open yet of the days on sale in all of these zones, each day once: the stream decides (rule 38). */
export const openDays = async (aggregates: Aggregates, zones: readonly string[]): Promise<void> => {
  const days = await closedDays(aggregates, zones);
  if (days) await aggregates.handle(saleDays, 'on-sale', { type: 'OpenDays', ...days }, CONTEXT);
};

/** The local days that are to be on sale in these zones at an instant; null: there are no zones. */
export const daysDue = (zones: readonly string[], at: Instant): SaleDays | null => {
  const today = zones.map((zone) => dateAt(at, zone)).sort();
  const [first, newest] = [today[0], today.at(-1)];
  return first === undefined || newest === undefined ? null : { first, last: later(newest, DAYS_ON_SALE - 1) };
};

/** The days that are due, where this process does not know all of them as open; null: it does. */
const closedDays = async (aggregates: Aggregates, zones: readonly string[]): Promise<SaleDays | null> => {
  const due = daysDue(zones, aggregates.clock.now());
  if (!due) return null;
  const { state } = await aggregates.known(saleDays, 'on-sale', (opened) => opened !== null && opened.last >= due.last);
  return state && state.last >= due.last ? null : due;
};

/** How often (ms) it is looked whether a day has begun, and how long the lease of who opens it lasts. */
const [LOOK, LEASE] = [60_000, 8_000];

/** Opens each new day while the process runs; one that slept opens all that it missed. The lease only saves work. */
export class DayOpener {
  private cancel: Cancel | undefined;
  private looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly ports: { readonly aggregates: Aggregates; readonly leases: Leases; readonly clock: Clock },
    private readonly zones: readonly string[],
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.cancel = this.ports.clock.every(LOOK, () => {
      this.looking = this.looking.then(() => this.look()).catch(this.onError);
    });
  }

  async stop(): Promise<void> {
    this.cancel?.();
    await this.looking;
  }

  async look(): Promise<void> {
    const { aggregates, leases } = this.ports;
    if (!(await closedDays(aggregates, this.zones))) return;
    await leases.during('sale-days', LEASE, () => openDays(aggregates, this.zones), this.onError);
    await leases.release('sale-days');
  }
}
