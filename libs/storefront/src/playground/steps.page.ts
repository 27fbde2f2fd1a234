import { readFileSync } from 'node:fs';
import type { BaseUrls } from '#http';
import { asset, assetLink, COPY_SCRIPT, formTarget, html, type Html, page, type Page } from '#site';

export const SCRIPT_NAME = 'playground.js';

/** The script of the page of a return. the build copies it unchanged. */
export const SCRIPT = asset(
  'text/javascript; charset=utf-8',
  readFileSync(new URL(`./browser/${SCRIPT_NAME}`, import.meta.url), 'utf8'),
);

const STEPS = [
  { title: 'Pedir autorização', text: 'O agente diz quem é e o que quer poder fazer. Quem decide é o viajante.' },
  { title: 'Voltar com o código', text: 'O navegador volta com um código, que sozinho não abre nada.' },
  { title: 'Trocar o código por tokens', text: 'O servidor do agente troca o código e prova que foi ele quem pediu.' },
  {
    title: 'Chamar a API',
    text: 'Da busca ao recibo, e de volta. Consultar voos é público; o resto pede o token de acesso, com o escopo certo.',
  },
  {
    title: 'Renovar os tokens',
    text: 'O token de acesso vale uma hora. O refresh token dá outros dois, uma única vez.',
  },
  { title: 'Revogar', text: 'Um token devolvido deixa de valer na hora, com todos os da mesma autorização.' },
] as const;

export interface StepsPage {
  readonly status?: number;
  readonly title: string;
  /** The step to take now, from 1. */
  readonly now: number;
  /** What each step shows so far, from the first. */
  readonly contents: readonly (Html | null)[];
  readonly end?: Html;
  readonly isScripted?: boolean;
  /** Whether there is something to copy before that. */
  readonly isCopied?: boolean;
  readonly urls: BaseUrls;
}

const stepItem = ({ title, text }: (typeof STEPS)[number], number: number, now: number, content: Html | null): Html =>
  html`<li class="step" ${number === now && html`aria-current="step"`}>
    <h2><span class="place" aria-hidden="true">${number < now ? '✓' : number}</span>${title}</h2>
    <p class="lead">${text}</p>
    ${content}
  </li>`;

/** The API's origin, where it is not the page's own. */
const apiElsewhere = ({ base, auth }: BaseUrls): readonly string[] =>
  [new URL(base).origin].filter((origin) => origin !== new URL(auth).origin);

export const stepsPage = ({
  status = 200,
  title,
  now,
  contents,
  end,
  isScripted = false,
  isCopied = false,
  urls,
}: StepsPage): Page => ({
  status,
  formTargets: [formTarget(urls.auth)],
  ...(isScripted && { scriptTargets: apiElsewhere(urls) }),
  ...(isCopied && { scriptTargets: 'none' as const }),
  isAddressSecret: true,
  html: page({
    title,
    host: new URL(urls.auth).host,
    ...(isScripted && { script: assetLink(SCRIPT_NAME, SCRIPT) }),
    ...(isCopied && { script: COPY_SCRIPT }),
    isBroad: true,
    content: html`<h1>OAuth, passo a passo</h1>
      <p class="lead">
        O caminho de um agente, com o cliente piloto: pedir autorização, trocar o código por tokens, comprar um voo e
        cancelá-lo. Cada requisição e cada resposta aparece aqui. Os cartões são de teste: nada é cobrado de verdade.
      </p>
      <ol class="steps" role="list">
        ${STEPS.map((step, place) => stepItem(step, place + 1, now, contents[place] ?? null))}
      </ol>
      ${end ?? null}`,
  }),
});

/** An HTTP message as it was sent. It can be scrolled, so the keyboard must reach it. */
export const message = (caption: string, text: string): Html =>
  html`<figure class="message">
    <figcaption>${caption}</figcaption>
    <pre tabindex="0" role="group" aria-label="${caption}">${text}</pre>
  </figure>`;

export const RESTART = html`<p><a class="button quiet" href="/oauth/playground">Começar de novo</a></p>`;
