import type { AuditPage } from '#events';
import { hiddenFields } from '#identity';
import { html, type Html, type Page, ZONE_NOTE } from '#site';
import { part } from '../../page-parts.js';
import { type Audience, auditorPage, linkTo } from '../layout/auditor-page.js';
import { type AuditTarget, MOVEMENTS, pathTo, SEARCH } from '../layout/return-targets.js';
import { rows } from '../lists/lists.pages.js';
import type { MovementsPage } from '../movements/movements.js';
import { movementRow, type Names } from '../movements/movements.page.js';

interface SearchContent extends Audience {
  /** What was searched, and found; null: nothing yet. */
  readonly search: { readonly id: string; readonly found: readonly AuditTarget[] } | null;
  /** Beside the empty field. */
  readonly newest?: MovementsPage;
  readonly names?: Names;
  /** The month that it is in Brasília, `2026-11`. */
  readonly month?: string;
}

/** "Auditoria": one field for what a complaint names, sent as a form, so that an address is in no log. */
export const searchPage = ({ search, newest, names = new Map(), month = '', ...audience }: SearchContent): Page => {
  const nothing = search?.found.length === 0;
  return auditorPage({
    ...audience,
    status: nothing ? 404 : 200,
    title: search ? 'Busca' : 'Início',
    isFirst: !search,
    content: html`<h1>Auditoria</h1>
      <p class="lead">Comece pelo que a reclamação traz. O que você abre fica registrado antes de aparecer.</p>
      ${
        nothing &&
        html`<div class="alert" role="alert" id="problema">
          <p>Nenhum evento do registro tem este número. <a href="#id">Confira se o copiou por inteiro.</a></p>
        </div>`
      }
      <form method="post" action="/auditoria/busca" role="search">
        ${hiddenFields(audience.session.id, SEARCH)}
        <div class="field">
          <label for="id">O que procurar</label>
          <input
            id="id"
            name="id"
            type="text"
            value="${search?.id ?? ''}"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            maxlength="200"
            required
            aria-describedby="${nothing ? 'problema ' : ''}exemplos"
            ${nothing && html`aria-invalid="true"`}
          />
          <p class="small" id="exemplos">
            Bilhete ou recibo (9770000000014), localizador (K7MPXR), valor (R$ 619,90), final do cartão (4242), voo e
            data (AL4011 12/12/2026), dia (27/11/2026), e-mail do viajante, ou o número de um mandato, pedido, reserva,
            viajante ou agente: inteiro, ou o seu começo.
          </p>
        </div>
        <button type="submit">Procurar</button>
      </form>
      ${search && search.found.length > 0 && foundRows(search.found)}
      ${newest !== undefined && newestPart(newest, names, month)}`,
  });
};

const newestPart = ({ items, next }: MovementsPage, names: Names, month: string): Html =>
  part(
    'novas',
    'Cobranças e recusas mais novas',
    html`<p class="small">${ZONE_NOTE}</p>
      ${rows(
        items.map((one) => movementRow(one, names)),
        'Nada foi cobrado nem recusado ainda.',
      )}
      <p class="more">
        <a href="${pathTo(MOVEMENTS)}">${next === null ? 'Filtrar' : 'Filtrar, e ver mais antigas'}</a>
        · <a href="${pathTo({ kind: 'month', id: month })}">Somas do mês, e CSV</a>
      </p>`,
  );

const KINDS: Readonly<Record<AuditPage, string>> = {
  home: 'Auditoria',
  search: 'Busca',
  address: 'Endereço',
  movements: 'Cobranças e recusas',
  month: 'Mês',
  traveller: 'Viajante',
  agent: 'Agente',
  mandate: 'Mandato',
  order: 'Pedido',
  booking: 'Reserva',
};

const foundRows = (found: readonly AuditTarget[]): Html =>
  html`<section class="part" aria-labelledby="achados">
    <h2 id="achados">Mais de uma coisa tem este número, ou começa assim</h2>
    <ul class="rows" role="list">
      ${found.map((to) => html`<li><p class="row-head">${KINDS[to.kind]} ${linkTo(to)}</p></li>`)}
    </ul>
  </section>`;
