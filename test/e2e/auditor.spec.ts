import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ANA } from '../support/agent.js';
import { addAuditor, CLARA, viewsIn } from '../support/auditor.js';
import { loggedIn } from '../support/challenge.js';
import { failNextAppend } from '../support/service.js';
import { openSmallSetting, type SmallSetting } from '../support/setting.js';

let setting: SmallSetting;
let auditor: string;
beforeAll(async () => {
  setting = await openSmallSetting();
  auditor = await addAuditor(setting.service);
});
afterAll(() => setting.close());

const login = async (path = '/auditoria') => loggedIn(setting.origin + path, CLARA);

describe('the auditors’ login', () => {
  it('leads to the page that was asked for, and out again', async () => {
    const { browser, page } = await login();
    expect([page.status, page.url.pathname]).toEqual([200, '/auditoria']);
    expect(page.html).toContain(CLARA.email);
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(page.html) ?? [];
    const left = await browser.open('/auditoria/sair', { method: 'POST', body: new URLSearchParams({ csrf }) });
    expect(left.html).toContain('Entre na auditoria');
    expect((await browser.open('/auditoria')).html).toContain('name="password"');
  });

  it('refuses a wrong password, and whoever is no auditor', async () => {
    for (const wrong of [{ ...CLARA, password: 'errada-errada' }, ANA]) {
      const { page } = await loggedIn(`${setting.origin}/auditoria`, wrong);
      expect([page.status, page.html]).toEqual([403, expect.stringContaining('E-mail ou senha incorretos')]);
    }
  });
});

describe('what an auditor looks at', () => {
  it('is in the log before it is shown: by the auditor’s id, and once for as long as they stay', async () => {
    const { browser } = await login();
    const before = (await viewsIn(setting.service)).length;
    for (const path of ['/auditoria/busca?id=ana@example.com', '/auditoria', '/auditoria']) await browser.open(path);
    const views = (await viewsIn(setting.service)).slice(before);
    expect(views.map(({ type, data, metadata: { actor } }) => ({ type, data, actor }))).toEqual(
      ['search', 'home'].map((page) => ({
        type: 'AuditPageViewed',
        data: { auditor, page, subject: null, viewedAt: expect.any(String) },
        actor: { holder: null, clientId: null },
      })),
    );
  });

  it('is not shown where it cannot be written down', async () => {
    const { browser } = await login('/auditoria/busca?id=x');
    failNextAppend(setting.service, 'audit-');
    const { status, html } = await browser.open('/auditoria/busca?id=alcada-pilot');
    expect([status, html]).toEqual([503, expect.not.stringContaining('alcada-pilot')]);
  });
});
