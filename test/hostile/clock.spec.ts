import { operatorMessage } from '#runtime';
import { apiAt, tokensFor } from '../support/agent.js';
import { runService } from '../support/real-process.js';
import { letPass, ownFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it starts again on the log that a wrong clock wrote');

const MINUTE = 60_000;

const folder = ownFolder();

const writeAhead = async (milliseconds: number): Promise<void> => {
  const service = await startService(folder);
  letPass(service, milliseconds);
  const ana = apiAt(service.origin, (await tokensFor(service.origin)).access_token);
  expect(await ana.post('/bookings', {})).toMatchObject({ status: 201 });
  await service.stop();
};

const strict = { ALLOW_CLOCK_AHEAD: 'off' };

describe('a log that ends in the future', () => {
  it('by as much as clocks may differ is gone on with', async () => {
    await writeAhead(3 * MINUTE);
    await (await startService(folder, strict)).stop();
  });

  it('of years leads no start there, and the operator is told both times', async () => {
    await writeAhead(10 * 365 * 24 * 60 * MINUTE);
    const process = runService({ DATA_DIR: folder, PORT: '0' });
    expect(await process.ended).toEqual({ code: 78, signal: null });
    expect(process.stderr()).toMatch(
      /^alcada cannot start: the log ends at 20\d\d-.*Z, and this machine's clock shows 20\d\d-.*Z: .*ALLOW_CLOCK_AHEAD=on .*\n$/,
    );
    const refused: unknown = await startService(folder, strict).catch((error: unknown) => error);
    expect(operatorMessage(refused)).toContain('the log ends at');
  });

  it('is gone on with from there where the operator allows it', async () => {
    const service = await startService(folder, { ALLOW_CLOCK_AHEAD: 'on' });
    const { body } = await apiAt(service.origin).get<{ readonly time: string }>('/health');
    await service.stop();
    expect(Date.parse(body.time)).toBeGreaterThan(Date.now() + 9 * 365 * 24 * 60 * MINUTE);
  });
});
