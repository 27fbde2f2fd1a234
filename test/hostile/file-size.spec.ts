import { join } from 'node:path';
import Libsql from 'libsql';
import { until } from '#testing';
import { authorizationUrl, discover, pkce } from '#agent';
import { PILOT } from '../support/agent.js';
import { letPass, newFolder, removeFolder, startService } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it looks at the size of a file');

/** Longer than an authorization waits for its traveller. */
const EXPIRY = 20 * 60_000;

it('a stranger who begins authorizations and abandons them does not fill the disk for ever', async () => {
  const folder = await newFolder();
  const service = await startService(folder, { LIMIT_AUTHORIZATIONS: '0', RECOVERY_PAUSE_SECONDS: '0.05' });
  const file = new Libsql(join(folder, 'documents.db'), { readonly: true });
  try {
    const size = () => 4_096 * Number(file.prepare('SELECT page_count FROM pragma_page_count').pluck().all()[0]);
    const registration = { ...PILOT, redirectUri: 'http://127.0.0.1:8765/callback' };
    const asked = { scopes: ['booking:write'], state: 'x'.repeat(1_024), challenge: pkce().challenge };
    const address = authorizationUrl(await discover(service.origin), registration, asked);
    const begin = async () => {
      for (let begun = 0; begun < 150; begun += 1) {
        const answer = await fetch(address, { redirect: 'manual' });
        expect(answer.status).toBeLessThan(400);
        await answer.body?.cancel();
      }
    };
    await Promise.all(Array.from({ length: 10 }, begin));
    const full = size();
    letPass(service, EXPIRY);
    // What stays is what a new file has, and a little room.
    await until(() => size() <= (2 / 3) * full);
  } finally {
    file.close();
    await service.stop();
    await removeFolder(folder);
  }
});
