import { fact, type Html, html } from '#site';
import { linkTo } from '../layout/auditor-page.js';
import { exactTime, sealFacts, verdict } from './event-facts.js';
import type { Story, ToldEvent } from './stories.js';
import { storyText, textIn } from './story-words.js';

/** The events of an order or a booking one below the other, each with what vouches for it. `self`: an order's own id. */
export const storyPart = ({ told, count, breaches }: Story, self: string): Html =>
  html`<section class="part" aria-labelledby="eventos">
    <h2 id="eventos">O que aconteceu</h2>
    ${verdict(breaches, 'Cadeia de hashes conferida', (revision) => html`evento ${revision + 1}`)}
    ${count > told.length && html`<p class="small">Os últimos ${told.length} eventos de ${count}.</p>`}
    ${told.map((one) => eventCard(one, self))}
  </section>`;

const eventCard = ({ event, previousHash, place }: ToldEvent, self: string): Html => {
  const { revision, metadata } = event;
  const { holder, clientId } = metadata.actor;
  const orderId = textIn(event, 'orderId');
  return html`<article class="card">
    <h3>${revision + 1}. ${storyText(event)}</h3>
    <dl class="facts">
      ${[
        fact('Quando', exactTime(metadata.occurredAt)),
        fact('Por quem', actorText(holder, clientId)),
        ...(orderId === '' || orderId === self ? [] : [fact('Pedido', linkTo({ kind: 'order', id: orderId }))]),
        ...sealFacts(metadata.hash, previousHash, place),
      ]}
    </dl>
  </article>`;
};

/** Who an event was written for: an agent, a traveller without one, or the service itself. */
export const actorText = (holder: string | null, clientId: string | null): Html => {
  if (clientId !== null) return html`o agente ${linkTo({ kind: 'agent', id: clientId })}`;
  return holder === null ? html`o próprio serviço` : html`o viajante ${linkTo({ kind: 'traveller', id: holder })}`;
};
