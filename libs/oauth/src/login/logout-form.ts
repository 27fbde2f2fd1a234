import { html, type Html } from '#site';
import type { Visitor } from '../sessions/visitors.js';
import type { ReturnTarget } from './return-target.js';
import { hiddenFields } from './forms.js';

/** Who is logged in, with a way out: back to where another account is wanted, or (null) just out. Nothing for nobody. */
export const logoutForm = ({ sessionId, traveller }: Visitor, to: ReturnTarget | null): Html | null =>
  traveller &&
  html`<form class="who" method="post" action="/oauth/logout">
    ${hiddenFields(sessionId, to)}
    <p>Você entrou como <strong>${traveller.email}</strong></p>
    <button class="link" type="submit">${to ? 'Sair e trocar de conta' : 'Sair'}</button>
  </form>`;
