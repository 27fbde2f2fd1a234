import { Get, Param, Post } from '@nestjs/common';
import { ERROR_CATALOGUE } from '#http';
import { CurrentVisit, FormFields, NotFound, type Parameters, type Visit } from '#identity';
import { DomainError } from '#kernel';
import type { Page, SeeOther } from '#site';
import { AgentNames } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { cardIn } from '../purchase/card-fields.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { AgentTokens } from './agent-tokens.js';
import { paymentTokensPage, type TokensContent, toPaymentTokens } from './payment-tokens.page.js';

/** `{site_url}/conta/agentes/{id}/pagamento`: by which tokens a platform pays with a traveller's card, and their end. */
@AccountPages('conta/agentes')
export class PaymentTokensController {
  constructor(
    private readonly tokens: AgentTokens,
    private readonly names: AgentNames,
  ) {}

  @Get(':id/pagamento')
  @IsAbout(toPaymentTokens)
  show(@Param('id') clientId: string, @CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(clientId, visit, {});
  }

  /** Makes a token, which this answer alone shows. */
  @Post(':id/pagamento')
  @IsAbout(toPaymentTokens)
  async change(
    @Param('id') clientId: string,
    @CurrentVisit() visit: Visit,
    @FormFields() fields: Parameters,
  ): Promise<Page | SeeOther> {
    const party = { holder: visit.holder, clientId };
    const removed = fields.optional('remove');
    if (removed !== undefined) {
      await this.tokens.remove(party, removed);
      return { location: pathTo(toPaymentTokens(clientId)) };
    }
    if (!(await this.tokens.arePossible(clientId))) throw new NotFound();
    try {
      return await this.page(clientId, visit, {
        made: await this.tokens.make(party, fields.optional('mandate') ?? '', cardIn(fields)),
      });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.page(clientId, visit, { problem: ERROR_CATALOGUE[error.code].message });
    }
  }

  /** @throws NotFound for an agent that takes none, or that this traveller never let in */
  private async page(clientId: string, visit: Visit, what: Pick<TokensContent, 'made' | 'problem'>): Promise<Page> {
    const party = { holder: visit.holder, clientId };
    if (!(await this.tokens.arePossible(clientId))) throw new NotFound();
    const [found, name] = [await this.tokens.of(party), await this.names.of(party)];
    if (!found) throw new NotFound();
    return paymentTokensPage({ ...visit, ...what, clientId, name, found });
  }
}
