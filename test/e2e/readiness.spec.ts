import { readConfig } from '#config';
import { DocumentsUnavailable } from '#documents';
import { StoreUnavailable } from '#event-store';
import { overriding, SystemClock } from '#kernel';
import { ProjectionStopped } from '#read-models';
import { createLogger } from '#runtime';
import { Readiness } from '../../apps/api/src/readiness.js';
import { type RunningApi, startApi } from '../../apps/api/src/start.js';
import type { Api } from '#agent';
import { apiAt } from '../support/agent.js';
import type { Refused } from '../support/answers.js';
import { interceptedDocuments } from '../support/intercept.js';
import { memoryPorts } from '../support/memory-ports.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('its stores fail at its word');

/** The clock of this machine, but that it goes forwards at a word. */
class HurriedClock extends SystemClock {
  private hurried = 0;

  override monotonic(): number {
    return super.monotonic() + this.hurried;
  }

  /** Until an answer of the check holds no longer. */
  toNextLook(): void {
    this.hurried += 1_100;
  }
}

let clock: HurriedClock;
let service: RunningApi;
let anyone: Api;
let isLogGone: boolean;
let asked: number;
let areDocumentsGone: boolean;
beforeEach(async () => {
  [isLogGone, areDocumentsGone, asked] = [false, false, 0];
  clock = new HurriedClock();
  const config = readConfig({ PORT: '0', PASSWORD_COST: '10' });
  service = await startApi(config, createLogger('silent'), async () => {
    const ports = await memoryPorts(clock);
    const head = () => {
      asked += 1;
      return isLogGone ? Promise.reject(new StoreUnavailable('no connection')) : ports.events.head();
    };
    const documents = interceptedDocuments(ports.documents, (call, work) =>
      areDocumentsGone && call === 'get secrets' ? Promise.reject(new DocumentsUnavailable('no connection')) : work(),
    );
    return { ...ports, events: overriding(ports.events, { head }), documents };
  });
  anyone = apiAt(service.origin);
});
afterEach(() => service.stop());

describe('GET /health/ready', () => {
  it('answers that the process is ready, and how far each read model is behind', async () => {
    const answer = await anyone.get<{ readonly readModels: readonly object[] }>('/health/ready');
    expect(answer).toMatchObject({ status: 200, body: { status: 'ready', time: expect.stringMatching(/Z$/) } });
    expect(answer.body.readModels).toContainEqual({ name: 'orders', lagSeconds: 0 });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('names what is missing in an error of the one form, while the process is alive all the same', async () => {
    isLogGone = true;
    areDocumentsGone = true;
    const { status, body, headers } = await anyone.get<Refused>('/health/ready');
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        error: 'service_unavailable',
        message: expect.stringContaining('temporariamente indisponível'),
        details: { missing: ['event-log', 'documents'] },
        doc_url: expect.stringMatching(/\/docs\/erros\/service_unavailable$/),
        requestId: headers.get('x-request-id'),
      },
    });
    expect(await anyone.get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('asks the stores once a second, however often it is asked, and notices when they are back', async () => {
    isLogGone = true;
    const before = asked;
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => anyone.get('/health/ready')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    expect(asked - before).toBeLessThanOrEqual(seconds + 1);
    isLogGone = false;
    clock.toNextLook();
    expect(await anyone.get('/health/ready')).toMatchObject({ status: 200 });
  });

  it('waits for read models that have yet to catch up, and stays ready where they fall behind later', async () => {
    let [seconds, builtShare] = [31, 1];
    const lag = () => Promise.resolve(new Map([['orders', { distance: 1, seconds }]]));
    let stopped = '';
    const readModels = {
      lag,
      failureOf: ({ name }: { readonly name: string }) => (name === stopped ? new ProjectionStopped(name) : null),
      stopped: () => Promise.resolve(new Set([stopped])),
      get builtShare() {
        return builtShare;
      },
    };
    const readiness = new Readiness(
      { ...service.dependencies, readModels },
      { events: 'e', documents: 'd', waitsForLists: true },
    );
    await expect(readiness.check()).rejects.toMatchObject({ details: { missing: ['read-models'] } });
    clock.toNextLook();
    [seconds, builtShare] = [1, 0.9]; // a young log: whoever lists it is told to come back
    await expect(readiness.check()).rejects.toMatchObject({ details: { missing: ['read-models'] } });
    builtShare = 1;
    for (seconds of [30, 600]) {
      clock.toNextLook();
      expect((await readiness.check()).lag).toEqual(new Map([['orders', { distance: 1, seconds }]]));
    }
    // Others are lists alone; without these nobody finishes what breaks off.
    for (const [list, missing] of [
      ['orders', []],
      ['open-checkouts', ['recovery']],
      ['open-mandates', ['recovery']],
    ] as const) {
      stopped = list;
      clock.toNextLook();
      if (missing.length === 0) expect((await readiness.check()).stopped).toEqual(new Set([list]));
      else await expect(readiness.check()).rejects.toMatchObject({ details: { missing } });
    }
  });
});
