import type { RunningApi } from '../../apps/api/src/start.js';

/** Waits until a service has sealed all that its log holds; answers what is sealed then. */
export const sealed = async ({ dependencies: { events, clock, transparency } }: RunningApi) => {
  const head = await events.head();
  for (;;) {
    const known = await transparency.heads.read();
    const sealed = known && head && known.position >= head.position ? await transparency.log.sealed() : null;
    if (sealed) return sealed;
    await clock.sleep(10);
  }
};
