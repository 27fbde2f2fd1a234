import { fact, html, type Page } from '#site';
import { type Audience, auditorPage, linkTo } from '../layout/auditor-page.js';
import type { Story } from './stories.js';
import { storyPart } from './story.page.js';
import { textIn } from './story-words.js';

interface BookingContent extends Audience {
  readonly bookingId: string;
  readonly story: Story;
}

/** A booking: whose it is, and what happened to it, with the orders that took it. */
export const auditedBookingPage = ({ bookingId, story, ...audience }: BookingContent): Page => {
  const created = story.told.map(({ event }) => event).find(({ type }) => type === 'BookingCreated');
  return auditorPage({
    ...audience,
    title: 'Reserva',
    content: html`<h1>Reserva</h1>
      <dl class="facts">
        ${[
          fact('Número', html`<code>${bookingId}</code>`),
          ...(created
            ? [
                fact('Viajante', linkTo({ kind: 'traveller', id: textIn(created, 'holder') })),
                fact('Agente', linkTo({ kind: 'agent', id: textIn(created, 'clientId') })),
              ]
            : []),
        ]}
      </dl>
      ${storyPart(story, '')}`,
  });
};
