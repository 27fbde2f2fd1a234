import type { AuditPage } from '#events';
import { html, type Html, type Page } from '#site';
import { type Audience, auditorPage, linkTo } from '../layout/auditor-page.js';
import type { AuditTarget } from '../layout/return-targets.js';

interface SearchContent extends Audience {
  /** What was searched, and found; null: nothing yet. */
  readonly search: { readonly id: string; readonly found: readonly AuditTarget[] } | null;
}

/** "Auditoria": a field for an id, and what can be looked up by one. */
export const searchPage = ({ search, ...audience }: SearchContent): Page => {
  const nothing = search?.found.length === 0;
  return auditorPage({
    ...audience,
    status: nothing ? 404 : 200,
    title: search ? 'Busca' : 'Início',
    isFirst: !search,
    content: html`<h1>Auditoria</h1>
      <p class="lead">
        Procure pelo número de um mandato, pedido, reserva ou viajante, ou pelo identificador de um agente. Cada página
        que você abre fica registrada, com o seu número de auditor, antes de aparecer.
      </p>
      ${
        nothing &&
        html`<div class="alert" role="alert" id="problema">
          <p>Nenhum evento do registro tem este número. <a href="#id">Confira se o copiou por inteiro.</a></p>
        </div>`
      }
      <form method="get" action="/auditoria/busca" role="search">
        <div class="field">
          <label for="id">Número ou identificador</label>
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
            ${nothing && html`aria-invalid="true" aria-describedby="problema"`}
          />
        </div>
        <button type="submit">Procurar</button>
      </form>
      ${search && search.found.length > 0 && foundRows(search.found)}`,
  });
};

const KINDS: Readonly<Record<AuditPage, string>> = {
  home: 'Auditoria',
  search: 'Busca',
  traveller: 'Viajante',
  agent: 'Agente',
  mandate: 'Mandato',
  order: 'Pedido',
  booking: 'Reserva',
};

const foundRows = (found: readonly AuditTarget[]): Html =>
  html`<section class="part" aria-labelledby="achados">
    <h2 id="achados">Este número é de mais de uma coisa</h2>
    <ul class="rows" role="list">
      ${found.map((to) => html`<li><p class="row-head">${KINDS[to.kind]} ${linkTo(to)}</p></li>`)}
    </ul>
  </section>`;
