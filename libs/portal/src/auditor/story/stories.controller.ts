import { Get, Param } from '@nestjs/common';
import { bookings } from '#booking';
import { LimitedBy } from '#http';
import { isId } from '#kernel';
import { Agents } from '#mandate';
import { Clients } from '#oauth';
import { orders } from '#order';
import type { Page } from '#site';
import { CurrentVisit, NotFound } from '#identity';
import { AuditorPages, IsAbout } from '../auditor.guard.js';
import { agentNameOf, type Audience } from '../layout/auditor-page.js';
import { auditedBookingPage } from './story.page.js';
import { auditedOrderPage } from './order.page.js';
import { checkoutIn } from './permission.js';
import { Stories, type Story } from './stories.js';

/** `{site_url}/auditoria/pedidos` and `/reservas`: what one of them names, and what happened to it. */
@AuditorPages('auditoria')
export class StoriesController {
  constructor(
    private readonly stories: Stories,
    private readonly agents: Agents,
    private readonly clients: Clients,
  ) {}

  @Get('pedidos/:id')
  @LimitedBy('publicReads', 10)
  @IsAbout(({ id = '' }) => ({ kind: 'order', id }))
  async order(@Param('id') orderId: string, @CurrentVisit() audience: Audience): Promise<Page> {
    const story = await this.story(orderId, orders.streamOf(orderId));
    const checkout = checkoutIn(story.cards.map(({ event }) => event));
    const [charge, refund, moment, agent] = await Promise.all([
      this.stories.charge(orderId),
      this.stories.refund(orderId),
      checkout && this.stories.moment(checkout),
      checkout && agentNameOf(checkout, this.clients, this.agents),
    ]);
    return auditedOrderPage({ ...audience, orderId, story, charge, refund, moment, agent });
  }

  @Get('reservas/:id')
  @LimitedBy('publicReads', 10)
  @IsAbout(({ id = '' }) => ({ kind: 'booking', id }))
  async booking(@Param('id') bookingId: string, @CurrentVisit() audience: Audience): Promise<Page> {
    const story = await this.story(bookingId, bookings.streamOf(bookingId));
    return auditedBookingPage({ ...audience, bookingId, story });
  }

  /** @throws NotFound */
  private async story(id: string, stream: string): Promise<Story> {
    const story = isId(id) ? await this.stories.of(stream) : null;
    if (!story) throw new NotFound();
    return story;
  }
}
