import { readConfig } from '#config';
import { until } from '#testing';
import { pino } from 'pino';
import { startApi } from '../../apps/api/src/start.js';
import { agentAt } from '../support/agent.js';
import { Collector } from '../support/collector.js';
import { memoryPorts } from '../support/memory-ports.js';
import { book, buy, grant, TRIP_PRICE } from '../support/purchase.js';

/** Spans enough for a batch to be sent while requests go on. */
const MANY = 600;
const AT_ONCE = 50;

/** A port of no service, which needs rights to listen on: one that was free a moment ago may be another test's by now. */
const NOBODY = 'http://127.0.0.1:10';

const collectorThat = async (manner: 'is not there' | 'fails' | 'hangs') =>
  manner === 'is not there' ? { endpoint: NOBODY, close: () => Promise.resolve() } : Collector.open(manner);

describe('a collector that', () => {
  it.each([
    ['is not there', 'ECONNREFUSED', 2_000],
    ['fails', '500', 10_000],
    ['hangs', 'no_answer', 400],
  ] as const)('%s changes no answer, is told of once, and holds up no end', async (manner, trouble, timeout) => {
    const collector = await collectorThat(manner);
    const logged: object[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line) as object) });
    const environment = {
      PORT: '0',
      PASSWORD_COST: '10',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_TIMEOUT: `${timeout}`,
    };
    const service = await startApi(readConfig(environment), logger, () => memoryPorts());
    const ana = await agentAt(service.origin);
    for (let sent = 0; sent < MANY; sent += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ana.get('/health')));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
    expect((await buy(ana, await book(ana), await grant(ana, TRIP_PRICE))).status).toBe('paid');

    // It is tried again for a while, which may outlast the requests; nobody waits for that at the end.
    await until(() => logged.length > 0);
    await service.stop();
    expect(logged).toMatchObject([{ msg: 'traces are not taken', trouble }]);
    await collector.close();
  });
});
