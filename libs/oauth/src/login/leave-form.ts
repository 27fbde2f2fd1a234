import { html, type Html } from '#site';
import type { Visitor } from '../sessions/visitors.js';
import type { Destination } from './destination.js';
import { hiddenFields } from './forms.js';

/** Who is logged in, with a way out: back to where another account is wanted, or (null) just out. Nothing for nobody. */
export const leaveForm = ({ sessionId, traveller }: Visitor, to: Destination | null): Html | null =>
  traveller &&
  html`<form class="who" method="post" action="/oauth/logout">
    ${hiddenFields(sessionId, to)}
    <p>Você entrou como <strong>${traveller.email}</strong></p>
    <button class="link" type="submit">${to ? 'Sair e trocar de conta' : 'Sair'}</button>
  </form>`;
