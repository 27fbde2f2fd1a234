import { Controller, Get, Param } from '@nestjs/common';
import { type BaseUrls, CurrentBaseUrls, ErrorsAs } from '#http';
import { DomainError, ERROR_CODES } from '#kernel';
import { AnswersPages, type Language, type Page } from '#site';
import { storefrontErrors } from '../storefront.page.js';
import { errorListPage, errorPage } from './error.page.js';

/** The pages that errors name as their `doc_url`, and their English counterparts (docs/interface.md, Error). */
@AnswersPages()
@ErrorsAs(storefrontErrors)
@Controller('docs')
export class ErrorPagesController {
  /** Pages by path, for the addresses that they were made for: they are the same until the next release. */
  private readonly made = new WeakMap<BaseUrls, Map<string, Page>>();

  @Get('erros')
  list(@CurrentBaseUrls() urls: BaseUrls): Page {
    return this.pageOf('pt-BR', null, urls);
  }

  @Get('erros/:code')
  one(@Param('code') code: string, @CurrentBaseUrls() urls: BaseUrls): Page {
    return this.pageOf('pt-BR', code, urls);
  }

  @Get('errors')
  listInEnglish(@CurrentBaseUrls() urls: BaseUrls): Page {
    return this.pageOf('en', null, urls);
  }

  @Get('errors/:code')
  oneInEnglish(@Param('code') code: string, @CurrentBaseUrls() urls: BaseUrls): Page {
    return this.pageOf('en', code, urls);
  }

  /** `name`: a code; null: the list. @throws DomainError `route_not_found` */
  private pageOf(language: Language, name: string | null, urls: BaseUrls): Page {
    const code = ERROR_CODES.find((one) => one === name);
    if (name !== null && !code) throw new DomainError('route_not_found');
    const pages = this.made.get(urls) ?? new Map<string, Page>();
    this.made.set(urls, pages);
    const key = `${language} ${code ?? ''}`;
    const page = pages.get(key) ?? (code ? errorPage(code, language, urls) : errorListPage(language, urls));
    pages.set(key, page);
    return page;
  }
}
