import { html, type Html } from '#site';
import { mediaOf, operationsOf, type PlacedOperation, resolved, scopesOf } from './api-document.js';
import type { Reference } from './reference.js';

interface Refusal {
  readonly code: string;
  readonly status: string;
  readonly message: string;
}

const linked = ({ language }: Reference, code: string): Html =>
  html`<a href="${language === 'en' ? '/docs/errors' : '/docs/erros'}/${code}"><code>${code}</code></a>`;

/** What an operation may refuse with, as its examples say. */
const refusals = ({ document }: Reference, { responses }: PlacedOperation): readonly Refusal[] =>
  Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, response]) => {
      const { examples = {} } = mediaOf(resolved(document, response).content)?.[1] ?? {};
      return Object.values(examples).flatMap((example) => {
        const { error, message } = (resolved(document, example).value ?? {}) as Partial<Record<string, unknown>>;
        const text = typeof message === 'string' ? message : '';
        return typeof error === 'string' ? [{ code: error, status, message: text }] : [];
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

/** What an operation may refuse with: first what is its own, in words; then what all of its kind may, as codes. */
export const refusalsOf = (reference: Reference, operation: PlacedOperation): Html | null => {
  const { words, language } = reference;
  const all = refusals(reference, operation);
  if (all.length === 0) return null;
  const ofKind = codesOfKind(reference, operation);
  const [own, others] = [all.filter(({ code }) => !ofKind.has(code)), all.filter(({ code }) => ofKind.has(code))];
  return html`<h4>${words.refusals}</h4>
    ${
      own.length > 0 &&
      html`<dl class="refusals">
        ${own.map(
          ({ status, code, message }) =>
            html`<div>
              <dt><span class="status">${status}</span> ${linked(reference, code)}</dt>
              <dd ${language === 'en' && html`lang="pt-BR"`}>${message}</dd>
            </div>`,
        )}
      </dl>`
    }
    ${
      others.length > 0 &&
      html`<p class="alike">
        ${own.length > 0 && html`${words.everywhere}: `}${others.map(
          ({ status, code }) => html`<span><span class="status">${status}</span> ${linked(reference, code)}</span> `,
        )}
      </p>`
    }`;
};
