import { Get, Param, Post } from '@nestjs/common';
import { CurrentVisit, decisionIn, FormFields, NotFound, type Parameters, type Visit } from '#identity';
import type { Page, SeeOther } from '#site';
import { pathTo } from '../layout/return-targets.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { cardIn } from './card-fields.js';
import { purchasePage, toPurchase } from './purchase.page.js';
import { type FoundPurchase, type Refusal, TravellerPurchases } from './purchases.js';

/** `{site_url}/comprar/{id}`: where a traveller decides on what a platform put together for them (docs/ucp.md). */
@AccountPages('comprar')
export class PurchaseController {
  constructor(private readonly purchases: TravellerPurchases) {}

  @Get(':id')
  @IsAbout(toPurchase)
  async show(@Param('id') id: string, @CurrentVisit() visit: Visit): Promise<Page | SeeOther> {
    return shown(await this.purchases.find(id, onlookerOf(visit)), null, visit);
  }

  @Post(':id')
  @IsAbout(toPurchase)
  async decide(
    @Param('id') id: string,
    @CurrentVisit() visit: Visit,
    @FormFields() fields: Parameters,
  ): Promise<Page | SeeOther> {
    const who = onlookerOf(visit);
    if (decisionIn(fields) === 'deny') {
      if (!(await this.purchases.refuse(id, who))) throw new NotFound();
      return { location: pathTo(toPurchase(id)) };
    }
    const { actor: _, ...cause } = visit.context;
    const decision = { card: cardIn(fields), shown: fields.optional('shown') };
    const decided = await this.purchases.buy(id, who, decision, { urls: visit.urls, cause });
    return shown(decided, decided?.refusal ?? null, visit);
  }
}

const onlookerOf = ({ holder, session }: Visit) => ({ holder, email: session.traveller?.email ?? '' });

/** A purchase that was made, or waits for a confirmation, has a page of its own. */
const shown = (found: FoundPurchase | null, refusal: Refusal | null, visit: Visit): Page | SeeOther => {
  if (!found) throw new NotFound();
  const { standing } = found;
  if (standing.kind === 'bought') return { location: pathTo({ kind: 'order', id: standing.orderId }) };
  if (standing.kind === 'challenged') return { location: pathTo({ kind: 'challenge', id: standing.orderId }) };
  return purchasePage({ ...visit, found, standing, refusal });
};
