import { ERROR_GUIDE } from '#http';
import { ERROR_CODES } from '#kernel';
import type { RunningApi } from '../../apps/api/src/start.js';
import { catalogEntry, writeCatalog } from '../support/catalog.js';
import { sendRaw } from '../support/raw-request.js';
import { ownFolder, startServiceInMemory } from '../support/service.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)> &amp;';

/** Two dozen flights, so that the list has a second page, and some that are special. */
const FLIGHTS = [
  ...Array.from({ length: 22 }, (_, n) => catalogEntry({ flightNumber: `AL${n + 100}`, slug: `rotina-${n + 100}` })),
  catalogEntry({
    flightNumber: 'AL900',
    slug: 'hostil-al900',
    to: 'XSS',
    toCity: HOSTILE,
    prices: [
      { code: '</script>', name: HOSTILE, price: 1, arrivalTime: '23:00', arrivalDayOffset: 0, baggage: 'none' },
    ],
  }),
  catalogEntry({ flightNumber: 'AL901', slug: 'lotado-al901', to: 'SSA', toCity: 'Salvador', seats: 0 }),
  catalogEntry({
    flightNumber: 'AL902',
    slug: 'passado-al902',
    to: 'SSA',
    toCity: 'Salvador',
    departureDate: '2020-02-29',
    timeZone: 'America/Sao_Paulo',
  }),
];

const folder = ownFolder(() => api.stop());
let api: RunningApi;
beforeAll(async () => {
  api = await startServiceInMemory({ CATALOG_FILE: await writeCatalog(folder, FLIGHTS) });
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(api.origin + path, { headers: { accept: BROWSER, ...headers } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** What the page says of itself: title, description, where it belongs, whether it may be indexed. */
const headOf = (text: string) => ({
  title: /<title>(.*?)<\/title>/s.exec(text)?.[1],
  description: /<meta\s+name="description"\s+content="([^"]*)"/.exec(text)?.[1],
  canonical: /<link\s+rel="canonical"\s+href="([^"]*)"/.exec(text)?.[1],
  robots: /<meta\s+name="robots"\s+content="([^"]*)"/.exec(text)?.[1],
  preview: /<meta\s+property="og:title"\s+content="([^"]*)"/.exec(text)?.[1],
  image: /<meta\s+property="og:image"\s+content="([^"]*)"/.exec(text)?.[1],
});

const dataIn = (text: string): unknown =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null');

const flightsOn = (text: string): readonly string[] =>
  [...text.matchAll(/href="\/voos\/([^"]*)"/g)].map(([, slug = '']) => slug);

describe('the first page', () => {
  it('shows the idea, some routes and the way to all flights, and says what it is to machines', async () => {
    const { status, text } = await get('/');
    expect(status).toBe(200);
    expect(text).toContain('Ver os 25 voos à venda');
    expect(text).toMatch(/href="\/\?from=S%C3%A3o\+Paulo&amp;to=Belo\+Horizonte&amp;sort=price#voos"/);
    expect(text.indexOf('Como funciona')).toBeLessThan(text.indexOf('Rotas com mais voos'));
    expect(text).toMatch(/<option value="São Paulo, Congonhas \(CGH\)"/);
    expect(headOf(text)).toMatchObject({
      title: 'Alçada: voos que o seu agente compra, até o limite que você definiu',
      description: expect.stringContaining('nunca acima da alçada'),
      canonical: `${api.origin}/`,
      robots: undefined,
      preview: 'Alçada: voos que o seu agente compra, até o limite que você definiu',
    });
    expect(dataIn(text)).toMatchObject({ '@type': 'WebSite', url: `${api.origin}/` });
  });

  it('leads to the list of all flights, a page after the other', async () => {
    const { text } = await get('/voos');
    expect(flightsOn(text)).toHaveLength(20);
    expect(text).toContain('25 voos à venda');
    expect(text).toContain('<span>Não reembolsável, só as taxas</span>');
    expect(text).toMatch(/<summary>\s*\d tarifas? · [^<:]+: Não reembolsável, só as taxas\s*<\/summary>/);
    expect(headOf(text)).toMatchObject({ title: 'Voos à venda · Alçada', canonical: `${api.origin}/voos` });
    const [, next = ''] = /rel="next"\s+href="([^"]*)"/.exec(text) ?? [];
    const rest = await get(next.replaceAll('&amp;', '&').replace('#voos', ''));
    expect(new Set([...flightsOn(text), ...flightsOn(rest.text)]).size).toBe(25);
    expect(rest.text).not.toContain('rel="next"');
    expect(headOf(rest.text).canonical).toBeUndefined();
  });

  it('orders a list by price, at an address of its own', async () => {
    const { text } = await get('/voos?sort=price');
    expect(flightsOn(text)[0]).toBe('hostil-al900');
    expect(text).toContain('<strong aria-current="true">Preço</strong>');
    expect(headOf(text).canonical).toBeUndefined();
  });

  it.each(['/?from=cgh&to=SSA&q=salvador', '/?from=congonhas&to=Salvador&q=salvador'])(
    'finds by origin, destination and words, at an address that search engines leave alone: %s',
    async (path) => {
      const { text } = await get(path);
      expect([...flightsOn(text)].sort()).toEqual(['lotado-al901', 'passado-al902']);
      expect(text).toContain('2 voos encontrados');
      expect(headOf(text)).toMatchObject({ canonical: undefined, robots: 'noindex, follow' });
    },
  );

  it('names airports where it can, and keeps what was written', async () => {
    const { text } = await get('/?from=cgh&to=SSA&q=salvador');
    expect(headOf(text).title).toBe('Voos de São Paulo (CGH) para Salvador (SSA) com “salvador” · Alçada');
    expect(text).toMatch(/name="from"[^>]* value="São Paulo, Congonhas \(CGH\)"/s);
    expect(text).toMatch(/name="q"[^>]* value="salvador"/s);
    expect(headOf((await get('/?q=salvador')).text).title).toBe('Resultados para “salvador” · Alçada');
    expect(headOf((await get('/?to=SALVADOR')).text).title).toBe('Voos para Salvador · Alçada');
  });

  it('shows the flights of the likeliest other search where one finds nothing', async () => {
    const { text } = await get('/?q=Salvdaor');
    expect(text).not.toContain('Nenhum voo encontrado');
    expect(text).toMatch(/<h2 id="voos-titulo">\s*<a [^>]*>Você quis dizer “Salvador”\?<\/a>/);
    expect([...flightsOn(text)].sort()).toEqual(['lotado-al901', 'passado-al902']);
  });

  it('says what to try where nothing is found, and keeps what was written', async () => {
    const { status, text } = await get(`/?q=${encodeURIComponent('<b>nada"')}`);
    expect(status).toBe(200);
    expect(text).toContain('Nenhum voo encontrado');
    expect(text).toContain('value="&lt;b&gt;nada&quot;"');
    expect(text).not.toContain('<b>nada');
  });

  it.each(['/?q=a&q=b', `/?q=${'x'.repeat(300)}`, '/?from=%00&to=%F0%9F%9B%AB', '/?limit=0'])(
    'shows something for %s too',
    async (path) => expect((await get(path)).status).toBe(200),
  );

  it('does not go on where no list goes on', async () => {
    for (const path of ['/?cursor=abc', '/voos?cursor=abc']) expect((await get(path)).status).toBe(404);
  });
});

describe('the page of a flight', () => {
  it('shows its fares, is known by one address, and tells machines what it costs', async () => {
    const { status, text } = await get('/voos/rotina-100');
    expect(status).toBe(200);
    for (const told of [
      'R$\u00a0279,90',
      'R$\u00a0359,90',
      'Clássica',
      '118 assentos',
      'Aqui quem compra é o seu agente',
    ])
      expect(text).toContain(told);
    expect(headOf(text)).toMatchObject({
      title: 'São Paulo → Belo Horizonte, voo AL100, a partir de R$\u00a0279,90 · Alçada',
      description: expect.stringContaining('parte às 07:15, 1 h 15 min de viagem'),
      canonical: `${api.origin}/voos/rotina-100`,
      robots: undefined,
    });
    expect(dataIn(text)).toMatchObject({
      '@type': 'Flight',
      flightNumber: 'AL100',
      offers: [
        { price: '279.90', priceCurrency: 'BRL' },
        { price: '359.90', priceCurrency: 'BRL' },
      ],
    });
  });

  it('is the address that the API gives', async () => {
    const answer = await fetch(`${api.origin}/api/v1/flights/AL100`);
    const { url } = (await answer.json()) as { url: string };
    expect((await get(new URL(url).pathname)).text).toContain('AL100');
  });

  it.each([
    ['/voos/lotado-al901', 'Voo esgotado.'],
    ['/voos/passado-al902', 'Este voo já partiu.'],
  ])('%s says that it cannot be bought: %s', async (path, words) => {
    const { text } = await get(path);
    expect(text).toContain(words);
    expect(dataIn(text)).toMatchObject({ offers: [{ availability: 'https://schema.org/SoldOut' }, {}] });
  });

  it.each(['/voos/hostil-al900', '/?to=XSS'])('takes the text of the catalogue for text, on %s', async (path) => {
    const { text } = await get(path);
    expect(text).not.toMatch(/<script>alert|<img src=x/);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('keeps a hostile name inside its data for machines', async () => {
    const { text } = await get('/voos/hostil-al900');
    expect(dataIn(text)).toMatchObject({
      arrivalAirport: { name: `${HOSTILE} (XSS)` },
      offers: [{ name: HOSTILE, sku: '</script>' }],
    });
  });
});

describe('the routes of the first page', () => {
  it('say how many flights their search finds, from the price that it begins with', async () => {
    const { text } = await get('/');
    const cards = [...text.matchAll(/<li>\s*<a href="(\/\?[^"]*)">(.*?)<\/a>/gs)];
    expect(cards).toHaveLength(3);
    for (const [, path = '', card = ''] of cards) {
      const [, count = ''] = /(\d+ voos?),/.exec(card) ?? [];
      const found = (await get(path.replaceAll('&amp;', '&'))).text;
      expect(found).toContain(`${count} encontrado`);
      expect(found).toContain(/R\$\s[\d.,]+/.exec(card)?.[0]);
    }
  });
});

describe('the public pages', () => {
  it('load the tools for agents by a digest that the script has', async () => {
    const { text } = await get('/voos/rotina-100');
    const [, src = '', integrity = ''] = /<script\s+defer\s+src="([^"]*)"\s+integrity="([^"]*)"/.exec(text) ?? [];
    const script = await fetch(api.origin + src);
    const digest = await crypto.subtle.digest('SHA-384', await script.arrayBuffer());
    expect(integrity).toBe(`sha384-${Buffer.from(digest).toString('base64')}`);
    expect(src).toMatch(/^\/webmcp\.js\?v=/);
    expect(script.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('let no foreign script run, are in no frame, and may be read by no other origin', async () => {
    const { headers } = await get('/');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; connect-src 'self' ${api.origin}; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    );
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('origin-agent-cluster')).toBe('?1');
    expect(headers.get('permissions-policy')).toBe('tools=(self)');
  });

  it.each(['/voos/', '/voos/rotina-100/', '/docs/agents/', '/conta/'])(
    'are no other page with a slash at the end: %s is a 404 that people can read',
    async (path) => {
      const { status, text } = await get(path);
      expect([status, text]).toEqual([404, expect.stringContaining('Página não encontrada')]);
    },
  );

  it('are not sent again to who has them', async () => {
    const first = await get('/voos/rotina-101');
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(await get('/voos/rotina-101', { 'if-none-match': `W/${etag}` })).toMatchObject({ status: 304, text: '' });
    expect((await get('/voos/rotina-102', { 'if-none-match': etag })).status).toBe(200);
  });

  it('weigh less than 100 KB with all that they load', async () => {
    const { text } = await get('/');
    const files = [...text.matchAll(/(?:href|src)="(\/(?:assets|webmcp\.js)[^"]*)"/g)].map(([, path = '']) => path);
    expect(files).toHaveLength(4);
    const loaded = await Promise.all(files.map(async (path) => (await get(path)).text));
    expect([text, ...loaded].reduce((sum, one) => sum + Buffer.byteLength(one), 0)).toBeLessThan(100_000);
  });

  it('are compressed, as what they load and what the API shows everybody', async () => {
    const { text } = await get('/');
    const files = [...text.matchAll(/(?:href|src)="(\/(?:assets|webmcp\.js)[^"]*)"/g)].map(([, path = '']) => path);
    const paths = ['/', '/voos', '/voos/rotina-101', '/verificar', '/observability', '/docs/agents', '/llms.txt'];
    const reads = ['/api/v1/flights', '/api/v1/openapi.json', '/.well-known/webmcp.json', '/sitemap.xml'];
    for (const path of [...paths, ...files, ...reads]) {
      const [plain, compressed, again] = [
        await sendRaw(api.origin, { path }),
        await sendRaw(api.origin, { path, headers: { 'accept-encoding': 'gzip, br' } }),
        await sendRaw(api.origin, { path, headers: { 'accept-encoding': 'gzip, br' } }),
      ];
      const { status, headers } = compressed;
      if (Number(plain.headers['content-length']) < 1_024) continue;
      expect([path, status, headers['content-encoding']]).toEqual([path, 200, 'br']);
      expect(again.headers['content-encoding']).toBe('br');
      expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, headers.vary]);
      expect(headers.vary).toContain('Accept-Encoding');
      expect(Number(headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 1.5);
    }
  });

  it('load files that a browser may keep for a year, since their addresses change with them', async () => {
    const { text } = await get('/');
    const files = [...text.matchAll(/(?:href|src)="(\/[^"]*\?v=[^"]*)"/g)].map(([, path = '']) => path);
    expect(files.map((path) => path.replace(/\?.*/, ''))).toEqual([
      '/assets/icon.svg',
      '/assets/site.css',
      '/assets/copiar.js',
      '/webmcp.js',
    ]);
    const verifying = /src="(\/assets\/verificar\/[^"]+)"/.exec((await get('/verificar')).text)?.[1] ?? '';
    expect((await get(verifying)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const path of files) {
      expect((await get(path)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      for (const other of [path.replace(/\?.*/, ''), `${path}x`])
        expect((await get(other)).headers.get('cache-control')).toBe('public, max-age=3600');
    }
  });

  it('show a picture in previews that is one', async () => {
    const image = headOf((await get('/')).text).image ?? '';
    const answer = await fetch(image);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.headers.get('content-type'), bytes.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG']);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  });
});

describe('an address that leads nowhere', () => {
  it.each(['/nada', '/voos/nada', `/voos/${'x'.repeat(300)}`, '/voos/%zz', '/conta/nada'])(
    '(%s) is a page in Portuguese to a browser',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('<h1>Página não encontrada</h1>');
      expect(headers.get('etag')).toBeNull();
    },
  );

  it.each([
    ['/docs/erros/nada', '/docs/erros', 'Todos os erros'],
    ['/docs/errors/nothing', '/docs/errors', 'All errors'],
    ['/voos/nada', '/voos', 'Ver todos os voos'],
  ])('(%s) leads on to what was looked for', async (path, next, name) => {
    const { status, text } = await get(path);
    expect([status, text]).toEqual([404, expect.stringContaining(`href="${next}">${name}</a>`)]);
  });

  it.each(['AL901', 'al901', 'al-901'])('leads to the flight where it is its number: %s', async (number) => {
    const answer = await fetch(`${api.origin}/voos/${number}`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/voos/lotado-al901']);
  });

  it.each(['/nada', '/voos/nada'])('(%s) is the one error to a program', async (path) => {
    const { status, text } = await get(path, { accept: 'application/json' });
    expect([status, JSON.parse(text)]).toMatchObject([404, { error: 'route_not_found' }]);
  });

  it.each(['/api/v1/nada', '/api/v1/flights/XX1', '/.well-known/nada', '/mcp/nada'])(
    '(%s) of the programs is that even to a browser',
    async (path) => {
      const { status, headers, text } = await get(path);
      expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
      expect(JSON.parse(text)).toHaveProperty('error');
    },
  );
});

describe('search engines', () => {
  it('are told where the flights are and what is not for them', async () => {
    const { text, headers } = await get('/robots.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toContain('Disallow: /conta\n');
    expect(text).toContain(`Sitemap: ${api.origin}/sitemap.xml`);
  });

  it('find every flight in the sitemap, and the pages of verification and of errors', async () => {
    const { text, headers } = await get('/sitemap.xml');
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const addresses = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address);
    expect(addresses).toHaveLength(30);
    for (const address of addresses.slice(0, 3)) expect((await get(new URL(address).pathname)).status).toBe(200);
  });
});

describe('the pages about errors', () => {
  const LISTS = { 'pt-BR': '/docs/erros', en: '/docs/errors' } as const;

  it('explain every code in Portuguese and in English, and lead from one to the other', async () => {
    const guide = { 'pt-BR': 'O que fazer', en: 'What to do' } as const;
    for (const code of ERROR_CODES)
      for (const [language, other] of [['pt-BR', 'en'] as const, ['en', 'pt-BR'] as const]) {
        const path = `${LISTS[language]}/${code}`;
        const { status, text } = await get(path);
        expect([path, status, headOf(text).title]).toEqual([path, 200, `${code} · Alçada`]);
        expect(headOf(text).canonical).toBe(api.origin + path);
        const { means, meansEn, why, whyEn, doNow, doNowEn } = ERROR_GUIDE[code];
        for (const said of language === 'en' ? [meansEn, whyEn, doNowEn] : [means, why, doNow])
          expect(asText(text)).toContain(said.replaceAll('`', ''));
        expect(text).toContain(guide[language]);
        expect(text).toContain(`<html lang="${language}">`);
        expect(text).toContain(`hreflang="${other}" href="${api.origin}${LISTS[other]}/${code}"`);
      }
  });

  it('are listed by status, and are what an error names', async () => {
    for (const [language, path] of Object.entries(LISTS)) {
      const { text } = await get(path);
      for (const code of ERROR_CODES)
        expect([language, text]).toEqual([language, expect.stringContaining(`"${path}/${code}"`)]);
    }
    const refused = await fetch(`${api.origin}/api/v1/flights/XX1`);
    const { doc_url: page } = (await refused.json()) as { readonly doc_url: string };
    expect(page).toBe(`${api.origin}/docs/erros/flight_not_found`);
    expect((await fetch(page)).status).toBe(200);
    expect((await get('/docs/erros/nada')).status).toBe(404);
  });

  it('say something of their own for each code, in whole sentences', () => {
    const guide = Object.values(ERROR_GUIDE);
    for (const text of guide.flatMap((texts) => Object.values(texts))) expect(text).toMatch(/^[\p{Lu}`].{9,}[.]$/su);
    for (const meanings of [guide.map(({ means }) => means), guide.map(({ meansEn }) => meansEn)]) {
      expect(new Set(meanings).size).toBe(meanings.length);
    }
  });
});

const asText = (text: string): string =>
  text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
