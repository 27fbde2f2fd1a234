import type { Logger } from 'pino';
import type { Config } from '#config';
import { Witnesses } from '#transparency';
import type { Dependencies } from './dependencies.js';

/** Offers what this process seals to the witnesses, where there are any. It is not started yet. */
export const witnessing = (
  { transparency, telemetry, clock }: Dependencies,
  { times }: Config,
  logger: Logger,
  isSealing: () => boolean,
): Witnesses | null => {
  const { cosignatures, log } = transparency;
  if (!cosignatures) return null;
  const count = telemetry?.witnesses ?? (() => undefined);
  return new Witnesses({
    policy: cosignatures.policy,
    cosignatures,
    head: async () => (isSealing() ? log.offered() : null),
    clock,
    interval: times.sealing,
    observer: {
      onOffer: count,
      onTrouble: (witness, trouble, isRefusal) => {
        if (trouble === null) logger.info({ witness }, 'a witness cosigns again');
        else logger[isRefusal ? 'error' : 'warn']({ witness, trouble }, 'a witness does not cosign');
      },
    },
    onError: (error) => logger.error({ err: error }, 'the head cannot be offered to witnesses'),
  });
};
