import { html } from '#site';
import { parametersOf } from '../parameters.js';
import { subjectOf } from './forms.js';
import { ReturnTargets } from './return-targets.js';

const urls = { auth: 'https://entrar.example', site: 'https://alcada.example', base: 'https://alcada.example/api/v1' };
const loginText = () => ({ heading: 'Entre', lead: html``, isAgain: false });
const targets = new ReturnTargets();
targets.register({ request: { path: (id) => `/oauth/consent/${id}`, at: 'auth', loginText } });
targets.register({ order: { path: (id) => `/conta/pedidos/${id}`, at: 'site', loginText } });

describe('the target of a login', () => {
  it.each([
    ['request', '/oauth/consent/a1', 'entrar.example'],
    ['order', '/conta/pedidos/a1', 'alcada.example'],
  ])('is the one that the form names: %s', (kind, path, host) => {
    const to = targets.namedIn(parametersOf({ [kind]: 'a1' }));
    expect(to && [targets.pathTo(to), targets.hostOf(to, urls)]).toEqual([path, host]);
  });

  it.each<Record<string, string>>([
    {},
    { next: 'a1' },
    { request: '' },
    { redirect: 'a1' },
    { order: '', constructor: 'a1' },
  ])('is none for %j', (fields) => {
    expect(targets.namedIn(parametersOf(fields))).toBeNull();
  });

  it('gives each form a subject of its own', () => {
    const kinds = ['request', 'challenge', 'agent_cap', 'agent_end', 'mandate', 'mandate_end'];
    const subjects = [null, ...kinds.map((kind) => ({ kind, id: 'a' }))].map(subjectOf);
    expect(new Set(subjects).size).toBe(7);
  });

  it('belongs to one module alone: a second one cannot redirect the logins of another', () => {
    const other = { order: { path: () => '/elsewhere', at: 'site', loginText } } as const;
    expect(() => targets.register(other)).toThrow('registered twice');
  });
});
