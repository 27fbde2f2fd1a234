import { Get, Param } from '@nestjs/common';
import { bookings } from '#booking';
import { LimitedBy } from '#http';
import { isId } from '#kernel';
import { orders } from '#order';
import type { Page } from '#site';
import { CurrentVisit, NotFound } from '#identity';
import { AuditorPages, IsAbout } from '../auditor.guard.js';
import type { Audience } from '../layout/auditor-page.js';
import { auditedBookingPage } from './story.page.js';
import { auditedOrderPage } from './order.page.js';
import { Stories, type Story } from './stories.js';

/** `{site_url}/auditoria/pedidos` and `/reservas`: what one of them names, and what happened to it. */
@AuditorPages('auditoria')
export class StoriesController {
  constructor(private readonly stories: Stories) {}

  @Get('pedidos/:id')
  @IsAbout(({ id = '' }) => ({ kind: 'order', id }))
  async order(@Param('id') orderId: string, @CurrentVisit() audience: Audience): Promise<Page> {
    const story = await this.story(orderId, orders.streamOf(orderId));
    const [charge, refund] = await Promise.all([this.stories.charge(orderId), this.stories.refund(orderId)]);
    return auditedOrderPage({ ...audience, orderId, story, charge, refund });
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
