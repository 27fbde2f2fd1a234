import type { RunningApi } from '../../apps/api/src/start.js';

/** Waits until a service has sealed all that its log holds; returns what is sealed then. */
export const sealed = async ({ dependencies: { events, clock, transparency } }: RunningApi) => {
  let last = '';
  for await (const { places } of events.readPlaces(null, 'traffic')) last = places.at(-1)?.position ?? last;
  for (;;) {
    const head = await transparency.heads.read();
    const known = head && head.position >= last ? await transparency.log.sealed() : null;
    if (known) return known;
    await clock.sleep(10);
  }
};
