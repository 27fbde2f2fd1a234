import { html, type Html } from '#site';
import { type ApiExample, mediaOf, operationsOf, type PlacedOperation, resolved, scopesOf } from './api-document.js';
import { line, type Reference, textIn } from './reference.js';
import { json } from './samples.js';

interface Refusal {
  readonly code: string;
  readonly status: string;
  readonly example: ApiExample;
}

const linked = ({ language }: Reference, code: string): Html =>
  html`<a href="${errorPath(language, code)}"><code>${code}</code></a>`;

/** The page of a code, or of all. */
export const errorPath = (language: Reference['language'], code?: string): string =>
  (language === 'en' ? '/docs/errors' : '/docs/erros') + (code === undefined ? '' : `/${code}`);

/** What an operation may refuse with, as its examples say. */
const refusals = ({ document }: Reference, { responses }: PlacedOperation): readonly Refusal[] =>
  Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, response]) => {
      const { examples = {} } = mediaOf(resolved(document, response).content)?.[1] ?? {};
      return Object.values(examples).flatMap((one) => {
        const example = resolved(document, one);
        const { error } = (example.value ?? {}) as Partial<Record<string, unknown>>;
        return typeof error === 'string' ? [{ code: error, status, example }] : [];
      });
    });

/** What makes operations alike: who may call them, and whether they take a body or a key. */
const kindOf = ({ document }: Reference, operation: PlacedOperation): string => {
  const takesKey = operation.parameters?.some((one) => resolved(document, one).name === 'Idempotency-Key') === true;
  return [scopesOf(operation).length > 0, operation.requestBody !== undefined, takesKey].join();
};

/** The codes with which every operation of a kind may refuse, where there are several. */
const codesOfKind = (reference: Reference, operation: PlacedOperation): ReadonlySet<string> => {
  const kind = kindOf(reference, operation);
  const alike = operationsOf(reference.document).filter((one) => kindOf(reference, one) === kind);
  if (alike.length < 2) return new Set();
  const [first = [], ...others] = alike.map((one) => refusals(reference, one).map(({ code }) => code));
  return new Set(first.filter((code) => others.every((codes) => codes.includes(code))));
};

/** What an operation may refuse with: first what is its own, each with what it answers; then what all of its kind may, as codes. */
export const refusalsOf = (reference: Reference, operation: PlacedOperation): Html | null => {
  const { words } = reference;
  const all = refusals(reference, operation);
  if (all.length === 0) return null;
  const ofKind = codesOfKind(reference, operation);
  const [own, others] = [all.filter(({ code }) => !ofKind.has(code)), all.filter(({ code }) => ofKind.has(code))];
  return html`<h3>${words.refusals}</h3>
    ${own.length > 0 && html`<div class="refusals">${own.map((one) => refusal(reference, one))}</div>`}
    ${
      others.length > 0 &&
      html`<p class="alike">
        ${own.length > 0 && html`${words.everywhere}: `}${others.map(
          ({ status, code }) => html`<span><span class="status">${status}</span> ${linked(reference, code)}</span> `,
        )}
      </p>`
    }`;
};

/** A refusal in words; opened, its answer as it comes. */
const refusal = (reference: Reference, { status, code, example }: Refusal): Html => {
  const { words } = reference;
  const { text, isForeign } = textIn(reference, example.description ?? '', example['x-description-en']);
  return html`<details>
    <summary><span class="status">${status}</span> <code>${code}</code></summary>
    ${text !== '' && html`<p ${isForeign && html`lang="pt-BR"`}>${line(text)}</p>`}
    <pre
      tabindex="0"
      role="group"
      aria-label="${words.response} ${status} ${code}"
    ><code>${json(example.value)}</code></pre>
    <p><a href="${errorPath(reference.language, code)}">${words.whatToDo}</a></p>
  </details>`;
};
