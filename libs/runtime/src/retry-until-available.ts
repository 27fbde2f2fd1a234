import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentsUnavailable } from '#documents';
import { StoreUnavailable } from '#event-store';
import { DomainError } from '#kernel';

/** How long (ms) a start waits for a store, which may be starting too, and how often it tries. */
const [PATIENCE, RETRY_AFTER] = [30_000, 500];

/** A store did not answer while a start waited for it. The message is for the operator. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable';
}

/**
 * Runs `work` until it succeeds, as long as it fails only because `store` is not available.
 *
 * @throws StoreUnreachable naming the store
 */
export const retryUntilAvailable = async <Result>(store: string, work: () => Promise<Result>): Promise<Result> => {
  for (const until = performance.now() + PATIENCE; ;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (performance.now() > until) {
        const reason = error instanceof DomainError ? error.cause : error;
        const message = reason instanceof Error ? reason.message : String(reason);
        throw new StoreUnreachable(`${store} did not answer for ${PATIENCE / 1_000} s: ${message}`, { cause: error });
      }
    }
    await sleep(RETRY_AFTER);
  }
};

const isUnavailable = (error: unknown): boolean =>
  error instanceof StoreUnavailable ||
  error instanceof DocumentsUnavailable ||
  (error instanceof DomainError && error.code === 'service_unavailable');
