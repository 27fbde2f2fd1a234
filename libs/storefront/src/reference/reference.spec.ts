import { spawnSync } from 'node:child_process';
import { baseUrlsAt } from '#http';
import type { Language } from '#site';
import type { ApiDocument, ApiOperation } from './api-document.js';
import { referencePage } from './reference.page.js';

const STRING = { type: 'string' };

const documentOf = (operation: Partial<ApiOperation>, schemas: object = {}): ApiDocument => ({
  info: { title: 'Alçada', version: '1.0.0' },
  paths: { '/things/{id}': { post: { operationId: 'make', tags: ['things'], responses: {}, ...operation } } },
  components: { schemas: schemas as NonNullable<ApiDocument['components']>['schemas'] & object },
});

const pageOf = (document: ApiDocument, language: Language = 'pt-BR', playground: string | null = null): string =>
  referencePage(document, language, { urls: baseUrlsAt('https://voos.example'), playground }).html;

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
    expect(page).toMatch(/id="schema-Body".*id="schema-Once".*<h4><a href="#schema-Shared">/s);
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
    expect(page).toContain('hreflang="pt-BR" href="https://voos.example/docs"');
  });

  it('leads to the playground only where there is one', () => {
    const address = 'https://voos.example/oauth/playground';
    expect(pageOf(documentOf({}), 'pt-BR', address)).toContain('Copiar token');
    expect(pageOf(documentOf({}))).not.toContain('Copiar token');
  });
});
