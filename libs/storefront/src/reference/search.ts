import { html, type Html } from '#site';
import { type ApiParameter, type ApiSchema, operationsOf, resolved } from './api-document.js';
import { errorPath } from './errors.js';
import { line, linkTo, type Reference, schemaId, textIn } from './reference.js';

export const LONGEST_QUERY = 100;
/** Results on the page: more than these call for a narrower search. */
const MOST = 60;

/** A thing of the description that can be looked for. */
interface Entry {
  readonly kind: 'operation' | 'parameter' | 'object' | 'property' | 'error';
  readonly name: string;
  /** Where it stands, in words. */
  readonly place: string;
  readonly href: string;
  readonly portuguese: string;
  readonly english: string | undefined;
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const entriesOf = (reference: Reference): readonly Entry[] => {
  const { document, partOf, language } = reference;
  const { schemas = {}, examples = {} } = document.components ?? {};
  const told = ({ description = '', ...rest }: Pick<ApiSchema, 'description' | 'x-description-en'>) => ({
    portuguese: description,
    english: rest['x-description-en'],
  });
  const operations = operationsOf(document).flatMap((operation): readonly Entry[] => {
    const { operationId, method, path, summary = operationId, parameters = [] } = operation;
    const href = linkTo(reference, operationId);
    const place = `${method} ${path}`;
    return [
      { kind: 'operation', name: operationId, place, href, portuguese: summary, english: operation['x-summary-en'] },
      ...parameters
        .map((one) => resolved<ApiParameter>(document, one))
        .filter(({ name }) => name !== 'Prefer')
        .map((one) => {
          const texts = told(one.description === undefined ? (one.schema ?? {}) : one);
          return { kind: 'parameter' as const, name: one.name, place, href, ...texts };
        }),
    ];
  });
  const objects = Object.entries(schemas)
    .filter(([name]) => partOf.has(schemaId(name)))
    .flatMap(([name, schema]): readonly Entry[] => {
      const href = linkTo(reference, schemaId(name));
      const properties = Object.entries(schema.properties ?? {});
      return [
        { kind: 'object', name, place: '', href, ...told(schema) },
        ...properties.map(([one, of]) => ({ kind: 'property' as const, name: one, place: name, href, ...told(of) })),
      ];
    });
  const errors = Object.entries(examples).map(([code, example]): Entry => ({
    ...{ kind: 'error', name: code, place: '', href: errorPath(language, code) },
    ...told(example),
  }));
  return [...operations, ...objects, ...errors];
};

/** What has all the words of a query, the closest by name first. No words find nothing. */
export const found = (reference: Reference, query: string): readonly Entry[] => {
  const words = plain(query.slice(0, LONGEST_QUERY)).split(/\s+/).filter(Boolean);
  const whole = words.join(' ');
  if (whole === '') return [];
  const distance = ({ name, place }: Entry): number => {
    const own = plain(name);
    if (own === whole || plain(`${place}.${name}`) === whole) return 0;
    if (own.startsWith(whole)) return 1;
    return own.includes(whole) ? 2 : 3;
  };
  return entriesOf(reference)
    .filter(({ name, place, portuguese, english = '' }) => {
      const text = plain(`${name} ${place}.${name} ${portuguese} ${english}`);
      return words.every((word) => text.includes(word));
    })
    .map((entry) => ({ entry, at: distance(entry) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ entry }) => entry);
};

/** The results of a search, each with what it is and where. */
export const resultsPart = (reference: Reference, query: string): Html => {
  const { words } = reference;
  const all = found(reference, query);
  return html`<section class="part intro results">
    <h1>${words.search}</h1>
    ${query.trim() !== '' && html`<p role="status">${countText(words, all.length)} <strong>${query}</strong>.</p>`}
    ${all.length === 0 && html`<p>${words.tryOther}</p>`}
    <ul role="list">
      ${all.slice(0, MOST).map(({ kind, name, place, href, portuguese, english }) => {
        const { text, isForeign } = textIn(reference, portuguese, english);
        return html`<li>
          <p>
            <a href="${href}"><code>${kind === 'property' ? `${place}.${name}` : name}</code></a>
            <span class="type">${words[kind]}${kind !== 'property' && place !== '' && ` · ${place}`}</span>
          </p>
          ${text !== '' && html`<p ${isForeign && html`lang="pt-BR"`}>${line(text)}</p>`}
        </li>`;
      })}
    </ul>
  </section>`;
};

const countText = (words: Reference['words'], count: number): string => {
  if (count === 0) return words.foundNone;
  if (count > MOST) return `${words.foundTo} ${MOST} ${words.found}`;
  return `${count} ${count === 1 ? words.foundOne : words.found}`;
};
