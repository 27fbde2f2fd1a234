import { Get, Query } from '@nestjs/common';
import type { Page, SeeOther } from '#site';
import { CurrentVisit } from '#identity';
import { AuditorPages, IsAbout } from '../auditor.guard.js';
import type { Audience } from '../layout/auditor-page.js';
import { HOME, pathTo, SEARCH } from '../layout/return-targets.js';
import { Subjects } from './subjects.js';
import { searchPage } from './search.page.js';

/** `{site_url}/auditoria`: where an auditor begins, with an id that somebody gave them. */
@AuditorPages('auditoria')
export class SearchController {
  constructor(private readonly subjects: Subjects) {}

  @Get()
  @IsAbout(() => HOME)
  show(@CurrentVisit() audience: Audience): Page {
    return searchPage({ ...audience, search: null });
  }

  @Get('busca')
  @IsAbout(() => SEARCH)
  async search(@CurrentVisit() audience: Audience, @Query('id') asked: unknown): Promise<Page | SeeOther> {
    const id = typeof asked === 'string' ? asked.trim().slice(0, 200) : '';
    if (id === '') return { location: pathTo(HOME) };
    const found = await this.subjects.find(id);
    const [only, ...others] = found;
    if (only && others.length === 0) return { location: pathTo(only) };
    return searchPage({ ...audience, search: { id, found } });
  }
}
