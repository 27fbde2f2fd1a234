import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ConcurrencyLimit, LimitedBy } from '#http';
import { CurrentVisit, NotFound } from '#identity';
import type { Page } from '#site';
import { AuditorPages, IsAbout } from '../auditor.guard.js';
import type { Audience } from '../layout/auditor-page.js';
import { Movements } from '../movements/movements.js';
import { movementLines, sumsCsv } from './month-csv.js';
import { monthSums } from './month-sums.js';
import { monthPage } from './month.page.js';

const CSV = 'text/csv; charset=utf-8; header=present';

/** A month may have a great many purchases, which are all read: one month is added up at a time. */
const BOUNDS = { running: 1, waiting: 16, perCaller: 2 };

/** `{site_url}/auditoria/meses/{yyyy-mm}`: the sums of a month, and its charges and refusals one by one, to take away. */
@AuditorPages('auditoria/meses')
export class MonthsController {
  private readonly limit = new ConcurrencyLimit(BOUNDS);
  /** Of its own: a file has its turn for as long as its reader takes, and no sums wait for that. */
  private readonly files = new ConcurrencyLimit(BOUNDS);

  constructor(private readonly movements: Movements) {}

  @Get(':month')
  @LimitedBy('publicReads', 50)
  @IsAbout(({ month = '' }) => ({ kind: 'month', id: month }))
  async show(@Param('month') month: string, @CurrentVisit() audience: Audience): Promise<Page> {
    return monthPage({ ...audience, sums: await this.sums(month, audience) });
  }

  @Get(':month/somas.csv')
  @LimitedBy('publicReads', 50)
  @IsAbout(({ month = '' }) => ({ kind: 'month', id: `${month}.somas` }))
  @Header('content-type', CSV)
  @Header('content-disposition', 'attachment; filename="somas.csv"')
  @Header('cache-control', 'no-store')
  async sumsFile(@Param('month') month: string, @CurrentVisit() audience: Audience): Promise<string> {
    return sumsCsv(await this.sums(month, audience));
  }

  @Get(':month/linhas.csv')
  @LimitedBy('publicReads', 50)
  @IsAbout(({ month = '' }) => ({ kind: 'month', id: `${month}.linhas` }))
  @Header('content-type', CSV)
  @Header('content-disposition', 'attachment; filename="cobrancas-e-recusas.csv"')
  @Header('cache-control', 'no-store')
  lines(@Param('month') month: string, @CurrentVisit() { session }: Audience): Promise<StreamableFile> {
    const day = checked(month);
    return new Promise((begin, refuse) => {
      const send = async (): Promise<void> => {
        const lines = Readable.from(movementLines(this.movements.all({ day })), { highWaterMark: 1 });
        begin(new StreamableFile(lines));
        if (!lines.closed) await once(lines, 'close');
      };
      this.files.run(session.id, send).catch(refuse);
    });
  }

  private sums(month: string, { session }: Audience) {
    const day = checked(month);
    return this.limit.run(session.id, () => monthSums(month, this.movements.all({ day })));
  }
}

/** @throws NotFound where it is no month */
const checked = (month: string): string => {
  if (!/^2\d{3}-(0[1-9]|1[0-2])$/.test(month)) throw new NotFound();
  return month;
};
