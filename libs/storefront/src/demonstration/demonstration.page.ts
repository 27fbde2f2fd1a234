import { readFileSync } from 'node:fs';
import type { BaseUrls } from '#http';
import { type AccountRegistration, nameOf } from '#identity';
import { asset, assetLink, html, type Html, type Page, publicPage } from '#site';
import { testBar } from '../storefront.page.js';
import type { Line } from './watched-purchase.js';

export const STYLES_NAME = 'demonstracao.css';
export const STYLES = asset(
  'text/css; charset=utf-8',
  readFileSync(new URL(`./styles/${STYLES_NAME}`, import.meta.url), 'utf8'),
);

/** Where the lines go, and what follows them. */
const GAP = html`<!-- gap -->`;

/** The button that starts it. It is a form, so that no one who only follows links buys anything. */
export const startButton = (text: string, look: 'filled' | 'quiet' = 'filled'): Html =>
  html`<form method="post" action="/demonstracao">
    <button ${look === 'quiet' && html`class="quiet"`} type="submit">${text}</button>
  </form>`;

const pageOf = (traveller: AccountRegistration, { site }: BaseUrls, content: Html): string =>
  publicPage({
    title: 'Um agente compra um voo · Alçada',
    description: 'Uma compra de um agente, da busca à recusa, neste ambiente de testes.',
    path: null,
    siteUrl: site,
    stylesheet: assetLink(STYLES_NAME, STYLES),
    above: testBar(traveller),
    content: html`<div class="within band watched">
      <h1>Um agente compra um voo para ${nameOf(traveller.email)}</h1>
      ${content}
    </div>`,
  });

/** Before anything is bought, or after somebody came back to the address. */
export const beforePage = (traveller: AccountRegistration, urls: BaseUrls): Page => ({
  status: 200,
  html: pageOf(
    traveller,
    urls,
    html`<p class="lead">
        É uma compra de verdade neste ambiente de testes: o agente pede a autorização, compra dentro dela e é recusado
        quando tenta gastar mais. O cartão é de teste: nenhum valor real é cobrado.
      </p>
      ${startButton('Ver um agente comprar')}`,
  ),
});

/** The page of a purchase in three parts: before its lines, between them and what follows, and its end. */
export const watchedPage = (traveller: AccountRegistration, urls: BaseUrls): readonly string[] =>
  pageOf(
    traveller,
    urls,
    html`<p class="lead">
        Agora mesmo, neste ambiente de testes: as mesmas chamadas que qualquer agente faz, com um cartão de teste.
      </p>
      <ol class="lines" role="list">
        ${GAP}
      </ol>
      ${GAP}`,
  ).split(GAP.text);

const SAID: Readonly<Record<Line['kind'], string>> = { done: 'Feito: ', refused: 'Recusado: ', stopped: 'Parou: ' };

export const lineItem = ({ kind, title, detail }: Line): Html =>
  html`<li class="${kind}">
    <strong><span class="visually-hidden">${SAID[kind]}</span>${title}</strong>
    <span class="small">${detail}</span>
  </li>`;

/** What somebody may do next. `isWhole`: whether the purchase came to its end. */
export const nextPart = ({ email }: AccountRegistration, isWhole: boolean): Html =>
  html`<section class="next" aria-labelledby="agora-titulo">
    <h2 id="agora-titulo">${isWhole ? 'O mandato disse não' : 'E agora?'}</h2>
    ${
      isWhole &&
      html`<p>
        A segunda compra passava do que ${nameOf(email)} autorizou, e foi recusada antes de chegar ao cartão. O que foi
        comprado, o que foi recusado e o que ainda está disponível aparecem na conta.
      </p>`
    }
    <div class="actions">
      <a class="button" href="/conta">Ver na conta de ${nameOf(email)}</a> ${startButton('Comprar de novo', 'quiet')}
      <a class="button quiet" href="/#agente">Conectar o seu agente</a>
    </div>
  </section>`;
