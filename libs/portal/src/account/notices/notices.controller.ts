import { Get, Param, Post } from '@nestjs/common';
import { Accounts, CurrentVisit, FormFields, NotFound, type Parameters, type Visit } from '#identity';
import { MailSettings, Notices } from '#outbox';
import type { Page, SeeOther } from '#site';
import { AgentNames } from '../layout/agent-names.js';
import { pathTo } from '../layout/return-targets.js';
import { AccountPages, IsAbout } from '../session.guard.js';
import { NOTICES, toMatter } from './notice-rows.js';
import { noticesPage, toMails, toNotices } from './notices.page.js';

/** How many notices the page shows. */
const SHOWN = 50;

const BACK: SeeOther = { location: NOTICES.path };

/** `{site_url}/conta/avisos`: what became news for a traveller, and whether it is mailed to them. */
@AccountPages('conta/avisos')
export class NoticesController {
  constructor(
    private readonly notices: Notices,
    private readonly names: AgentNames,
    private readonly accounts: Accounts,
    private readonly settings: MailSettings,
  ) {}

  @Get()
  @IsAbout(() => toNotices)
  async show(@CurrentVisit() visit: Visit): Promise<Page> {
    const { holder, session } = visit;
    const notices = await this.notices.of(holder, SHOWN);
    const nameOf = await this.names.ofAll(holder, notices);
    const address = session.traveller?.email ?? '';
    const isOn = (await this.accounts.mailTo(holder)) !== null;
    return noticesPage({ ...visit, notices, nameOf, mail: this.settings.smtp && { address, isOn } });
  }

  /** Leads from a notice, on a page or in a mail, to what it is about. */
  @Get(':id')
  @IsAbout((id) => ({ kind: 'notice', id }))
  async open(@Param('id') id: string, @CurrentVisit() { holder }: Visit): Promise<SeeOther> {
    const notice = await this.notices.open(id, holder);
    if (!notice) throw new NotFound();
    return { location: pathTo(toMatter(notice)) };
  }

  @Post('lidos')
  @IsAbout(() => toNotices)
  async readAll(@CurrentVisit() { holder }: Visit): Promise<SeeOther> {
    await this.notices.readAll(holder);
    return BACK;
  }

  @Post('emails')
  @IsAbout(() => toMails)
  async setMails(@CurrentVisit() { holder }: Visit, @FormFields() fields: Parameters): Promise<SeeOther> {
    const mails = fields.required('mails');
    if (mails === 'on' || mails === 'off') await this.accounts.setMails(holder, mails === 'on');
    return BACK;
  }
}
