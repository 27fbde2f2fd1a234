import type { RunningApi } from '../../apps/api/src/start.js';
import type { Api } from '#agent';
import { apiAt, tokensFor } from './agent.js';
import { startKilledProcess } from './real-process.js';
import { letPass, newFolder, removeFolder, startService } from './service.js';

const KEY = { 'idempotency-key': 'chave-1' };
/** Longer than any test takes, and shorter than a challenge waits: a lease ends when a test says so. */
const LEASE_SECONDS = 300;

export interface KeyedRequest {
  readonly path: string;
  readonly body: object;
}

/** A service that lives on in the data of one that was killed over a request. */
export interface Survivor {
  readonly service: RunningApi;
  readonly ana: Api;
  readonly again: <Body>() => ReturnType<typeof Api.prototype.call<Body>>;
  readonly endLease: () => void;
  readonly close: () => Promise<void>;
}

/** Sends a request to a service that dies over it at `step`, and starts another that looks for work to recover. */
export const killedOver = async (
  step: string,
  prepare: (ana: Api) => KeyedRequest | Promise<KeyedRequest>,
  recoveryPause = 0.05,
): Promise<Survivor> => {
  const folder = await newFolder();
  const doomed = await startKilledProcess(folder, step, { IDEMPOTENCY_LEASE_SECONDS: LEASE_SECONDS.toString() });
  try {
    const token = (await tokensFor(doomed.origin)).access_token;
    const before = apiAt(doomed.origin, token);
    const { path, body } = await prepare(before);
    await expect(before.call('POST', path, body, KEY)).rejects.toThrow();
    expect(await doomed.ended).toMatchObject({ signal: 'SIGKILL' });

    const service = await startService(folder, { RECOVERY_PAUSE_SECONDS: recoveryPause.toString() });
    const ana = apiAt(service.origin, token);
    return {
      service,
      ana,
      again: <Body>() => ana.call<Body>('POST', path, body, KEY),
      endLease: () => letPass(service, LEASE_SECONDS * 1_000),
      close: async () => {
        await service.stop();
        await removeFolder(folder);
      },
    };
  } finally {
    doomed.signal('SIGKILL');
  }
};
