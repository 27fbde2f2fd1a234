import { isLoopback } from '#http';
import { html, type Html } from '#site';
import { UNVERIFIED } from '../clients/client-name.js';
import type { StoredClient } from '../clients/clients.js';

/** What the consent page says of a client that nobody registered: who it claims to be, and where that comes from. */
export const unverifiedNotice = (
  { registration, metadataUrl }: Pick<StoredClient, 'registration' | 'metadataUrl'>,
  redirectUri: string,
): Html | false =>
  registration !== undefined &&
  html`<div class="unverified">
    <p><span class="badge">${UNVERIFIED}</span></p>
    ${origin(metadataUrl)}
    <p>
      A resposta vai para ${receiver(redirectUri)}. Só autorize se foi você quem começou este pedido e se confia nele.
    </p>
  </div>`;

const origin = (metadataUrl: string | undefined): Html =>
  metadataUrl === undefined
    ? html`<p>Este aplicativo se registrou sozinho: ninguém conferiu quem ele é, e o nome é o que ele diz de si.</p>`
    : html`<p>
        Ninguém conferiu quem é este aplicativo. Ele se apresenta pelo endereço de
        <strong>${new URL(metadataUrl).host}</strong>, e o nome é o que esse endereço diz:
        <span class="address">${metadataUrl}</span>
      </p>`;

const receiver = (redirectUri: string): Html => {
  const { host } = new URL(redirectUri);
  return isLoopback(host) ? html`um programa neste computador` : html`<strong>${host}</strong>`;
};
