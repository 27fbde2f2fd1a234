import { Get, Post } from '@nestjs/common';
import { ERROR_CATALOGUE } from '#http';
import { CurrentVisit, FormFields, NotFound, type Parameters, type Visit } from '#identity';
import { DomainError } from '#kernel';
import type { Page, SeeOther } from '#site';
import { cardIn } from '../purchase/card-fields.js';
import { pathTo } from '../layout/return-targets.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { type AddedToWallet, TravellerWallet } from './traveller-wallet.js';
import { TO_WALLET, walletPage } from './wallet.page.js';

const PROBLEMS: Readonly<Record<Exclude<AddedToWallet, 'added'>, string>> = {
  no_key: 'A chave não é uma chave pública EC (P-256, P-384 ou P-521) em JWK; uma chave privada nunca é pedida.',
  known_key: 'Esta chave já está cadastrada: cada uma serve a um cartão.',
};

/** `{site_url}/conta/carteira`: cards for mandates of AP2, and the keys that sign these; it is there where they are taken. */
@AccountPages('conta/carteira')
export class WalletController {
  constructor(private readonly wallet: TravellerWallet) {}

  @Get()
  @IsAbout(() => TO_WALLET)
  show(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit);
  }

  @Post()
  @IsAbout(() => TO_WALLET)
  async change(@CurrentVisit() visit: Visit, @FormFields() fields: Parameters): Promise<Page | SeeOther> {
    if (!this.wallet.isThere) throw new NotFound();
    const { holder } = visit;
    const removed = fields.optional('remove');
    if (removed !== undefined) await this.wallet.remove(holder, removed);
    else {
      const problem = await this.add(holder, fields);
      if (problem !== null) return this.page(visit, problem);
    }
    return { location: pathTo(TO_WALLET) };
  }

  /** Returns why nothing was added; null: it was. */
  private async add(holder: string, fields: Parameters): Promise<string | null> {
    try {
      const added = await this.wallet.add(holder, cardIn(fields), fields.optional('key')?.trim() || null);
      return added === 'added' ? null : PROBLEMS[added];
    } catch (error) {
      if (error instanceof DomainError) return ERROR_CATALOGUE[error.code].message;
      throw error;
    }
  }

  private async page(visit: Visit, problem?: string): Promise<Page> {
    if (!this.wallet.isThere) throw new NotFound();
    return walletPage({ ...visit, problem, cards: await this.wallet.of(visit.holder) });
  }
}
