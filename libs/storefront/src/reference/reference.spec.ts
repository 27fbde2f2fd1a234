import { spawnSync } from 'node:child_process';
import { baseUrlsAt } from '#http';
import type { Language } from '#site';
import type { ApiDocument, ApiOperation } from './api-document.js';
import { referencePage, searchPage } from './reference.page.js';
import { referenceOf } from './reference.js';

const STRING = { type: 'string' };

const documentOf = (operation: Partial<ApiOperation>, schemas: object = {}): ApiDocument => ({
  info: { title: 'Alçada', version: '1.0.0' },
  paths: { '/things/{id}': { post: { operationId: 'make', tags: ['things'], responses: {}, ...operation } } },
  components: { schemas: schemas as NonNullable<ApiDocument['components']>['schemas'] & object },
});

const linksTo = (playground: string | null) => ({ urls: baseUrlsAt('https://voos.example'), playground });

const referenceIn = (document: ApiDocument, language: Language) =>
  referenceOf(document, language, 'https://voos.example/api/v1');

/** The page of the operation, or another part. */
const pageOf = (
  document: ApiDocument,
  language: Language = 'pt-BR',
  part = 'things',
  playground: string | null = null,
) => referencePage(referenceIn(document, language), linksTo(playground), part)?.html ?? '';

const schemaAt = ($ref: string) => ({ $ref: `#/components/schemas/${$ref}` });
const json = (schema: object, example?: unknown) => ({ content: { 'application/json': { schema, example } } });

describe('the reference', () => {
  it('takes what descriptions say for text, with code, lists and links', () => {
    const description =
      'Um `<b>` **forte** e [o guia](/docs/agents), não [isto](javascript:alert(1)).\n\n- <i>um</i>\n- dois';
    const page = pageOf(documentOf({ description, summary: '<script>' }));
    expect(page).toContain('<code>&lt;b&gt;</code> <strong>forte</strong> e <a href="/docs/agents">o guia</a>');
    expect(page).toContain('[isto](javascript:alert(1))');
    expect(page).toMatch(/<ul>\s*<li>&lt;i&gt;um&lt;\/i&gt;<\/li><li>dois<\/li>\s*<\/ul>/);
    expect(page).not.toMatch(/<script>|<b>/);
  });

  it('shows a schema in its place where nothing else uses it, else once, with links to it', () => {
    const schemas = {
      Body: { type: 'object', required: ['one'], properties: { one: schemaAt('Once'), both: schemaAt('Shared') } },
      Once: { type: 'object', properties: { deep: STRING } },
      Shared: { type: 'object', properties: { again: { anyOf: [schemaAt('Shared'), { type: 'null' }] } } },
    };
    const responses = { 200: { description: 'Feito.', ...json(schemaAt('Shared')) } };
    const page = pageOf(documentOf({ requestBody: json(schemaAt('Body')), responses }, schemas));
    for (const name of Object.keys(schemas)) expect(page.split(`id="schema-${name}"`)).toHaveLength(2);
    expect(page).toMatch(/id="schema-Body".*id="schema-Once".*<h3><a href="#schema-Shared">/s);
    expect(page.split('href="#schema-Shared"').length).toBeGreaterThan(3);
  });

  it('writes calls that a shell takes for what they say, whatever the examples hold', () => {
    const example = { name: `d'Ávila "$HOME" \`id\` \\` };
    const document = documentOf({ security: [{ oauth2: ['a'] }], requestBody: json({}, example) });
    const [, curl = ''] = /<code>(curl .*?)<\/code>/s.exec(pageOf(document)) ?? [];
    const text = curl.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
    const said = spawnSync('sh', ['-euc', `TOKEN=t THING_ID=7\ncurl() { printf '%s\\036' "$@"; }\n${text}`], {
      encoding: 'utf8',
    });
    const call = said.stdout.split('\u001e').slice(0, -1);
    expect(call.slice(0, 7)).toEqual([
      ...['-X', 'POST', 'https://voos.example/api/v1/things/7', '-H', 'Authorization: Bearer t'],
      ...['-H', 'Content-Type: application/json'],
    ]);
    expect(JSON.parse(call[8] ?? '')).toEqual(example);
  });

  it('is in English where the description is, and says where it is not', () => {
    const page = pageOf(documentOf({ summary: 'Faz', 'x-summary-en': 'Makes', description: 'Só aqui.' }), 'en');
    expect(page).toContain('<html lang="en">');
    expect(page).toContain('<a href="#make">Makes</a>');
    expect(page).toContain('<div lang="pt-BR"><p>Só aqui.</p></div>');
    expect(page).toContain('hreflang="pt-BR" href="https://voos.example/docs/things"');
  });

  it('leads to the playground only where there is one', () => {
    const address = 'https://voos.example/oauth/playground';
    expect(pageOf(documentOf({}), 'pt-BR', '', address)).toContain('Copiar token');
    expect(pageOf(documentOf({}), 'pt-BR', '')).not.toContain('Copiar token');
  });

  it('leads from one part to another where what is named is there, and from the old addresses of one page to both', () => {
    const operation = (tag: string) => ({
      ...{ operationId: `make-${tag}`, tags: [tag] },
      responses: { 200: { description: 'Feito.', ...json(schemaAt('Shared')) } },
    });
    const document = {
      ...documentOf({}, { Shared: { type: 'object', properties: { one: STRING } } }),
      paths: { '/a': { get: operation('a') }, '/b': { get: operation('b') } },
    };
    expect(pageOf(document, 'en', 'a')).toContain('href="/docs/en/objects#schema-Shared"');
    expect(pageOf(document, 'en', 'objects')).toContain('href="#schema-Shared"');
    const first = pageOf(document, 'pt-BR', '');
    expect(first).toMatch(/id="make-a">\s*<a\s+href="\/docs\/a#make-a"/);
    expect(first).toMatch(/id="schema-Shared"><a href="\/docs\/objects#schema-Shared"/);
    expect(pageOf(document, 'pt-BR', 'c')).toBe('');
  });

  it('finds operations, members and errors by name or by a word in either language, accents or none, the closest first', () => {
    const description = 'Quanto está disponível.';
    const properties = { remaining: { type: 'integer', description, 'x-description-en': 'How much is left.' } };
    const responses = { 200: { description: 'Feito.', ...json(schemaAt('Thing')) } };
    const document = documentOf({ summary: 'Lê remaining', responses }, { Thing: { type: 'object', properties } });
    const examples = { remaining_exceeded: { description: 'Passou.', value: {} } };
    const reference = referenceIn({ ...document, components: { ...document.components, examples } }, 'pt-BR');
    const resultsOf = (query: string) =>
      [...searchPage(reference, linksTo(null), query).html.matchAll(/<li>\s*<p>\s*<a href="([^"]*)"/g)].map(
        ([, href]) => href,
      );
    const member = '/docs/things#schema-Thing';
    expect(resultsOf('Remaining')).toEqual([member, '/docs/erros/remaining_exceeded', '/docs/things#make']);
    for (const query of ['disponivel', 'LEFT much', 'thing.remaining']) expect(resultsOf(query)).toEqual([member]);
    for (const query of ['', ' ', 'nada disso', '<script>']) expect(resultsOf(query)).toEqual([]);
    const { html } = searchPage(reference, linksTo(null), '"><script>x');
    expect(html).not.toContain('<script>x');
  });
});
