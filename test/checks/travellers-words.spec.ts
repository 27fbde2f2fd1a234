import { readdirSync, readFileSync } from 'node:fs';

/** Where the texts of travellers' pages and mails are. */
const PLACES = [
  'libs/portal/src/account',
  'libs/portal/src/tickets',
  'libs/oauth/src/authorize',
  'libs/outbox/src/notices',
];

/** What a traveller's page does not say, and what it says instead. */
const OTHERS: readonly (readonly [RegExp, string])[] = [
  [/\bpedidos?\b/i, 'compra'],
  [/\b(ainda|fica[mr]?|ficar) livres?\b|\bnão usad[oa]s?\b|\brest(a|am)\b/i, 'disponível, não gasto'],
  [/'Sem uso'/, 'disponível'],
  [/\bmandato[^.'`]{0,40} (venceu|vencid[oa]|expirou|expirad[oa])\b|'vencido'/i, 'encerrado por prazo'],
  [/\b(revog(ar|ado|ue)( este| o)? mandatos?|mandatos? (foi )?revogados?)\b/i, 'encerrar, encerrado'],
  [/\bmandatos? de pagamento\b/i, 'mandato'],
  [/\breservad[oa]s?\b/i, 'separado'],
  [/<a [^>]*>\s*<code>/, 'a link that says where it leads'],
];

/** A request is one as well: what an agent asks for, and what opens a page. */
const REQUESTS =
  /pedidos? d[eo] (\$\{|mandato|até)|o pedido de \$|retirou o pedido|Este pedido foi assinado|começou este pedido|O pedido veio/g;

/** The texts of a source, with its code: that is English. Addresses, file names and names in code are no texts. */
const textsIn = (source: string): string =>
  source
    .replace(/\/\*[^]*?\*\/|\/\/ .*$/gm, '')
    .replace(/\/?conta\/pedidos|"pedido\.jsonl"|'pedidos?'/g, '')
    .replace(REQUESTS, '');

const otherWordsIn = (source: string): readonly string[] =>
  OTHERS.flatMap(([other, better]) => {
    const [found] = other.exec(textsIn(source)) ?? [];
    return found === undefined ? [] : [`${found}: ${better}`];
  });

describe('a page of travellers', () => {
  it('says limite, teto, disponível, compra, encerrado and separado, and no other word for them', () => {
    const files = PLACES.flatMap((place) =>
      readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => `${place}/${name}`),
    ).filter((path) => path.endsWith('.ts') && !/\.spec\.ts$|\/testing\//.test(path));
    const found = files.flatMap((path) => otherWordsIn(readFileSync(path, 'utf8')).map((word) => `${path}: ${word}`));
    expect(files.length).toBeGreaterThan(60);
    expect(found).toEqual([]);
  });

  it.each([
    'html`<p>${sum} ainda livres</p>`',
    "'Pedido cancelado'",
    "expired: 'vencido'",
    "'O mandato expirou; nada foi cobrado.'",
    "'Revogar este mandato?'",
    "'Ver o pedido'",
    '`${sum} reservados`',
    "'Um mandato de pagamento foi encerrado'",
    'html`<a href="${mandate}"><code>${mandateId}</code></a>`',
  ])('is caught where it says %s', (text) => {
    expect(otherWordsIn(text)).toHaveLength(1);
  });

  it.each(["path: '/conta/pedidos'", "// o pedido\n'compra'", '`Você recusou o pedido de ${name}`', "kind: 'pedido'"])(
    'is left alone where it says %s',
    (text) => {
      expect(otherWordsIn(text)).toEqual([]);
    },
  );
});
