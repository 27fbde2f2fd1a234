import { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Post, Req, Res, StreamableFile } from '@nestjs/common';
import { ProofKey } from '#agent';
import { type BaseUrls, CurrentBaseUrls, ErrorsAs, LimitedBy } from '#http';
import { type AccountRegistration, isOwnOrigin, pageErrors, RequestError } from '#identity';
import { Clock } from '#kernel';
import { OAuthSettings } from '#oauth';
import { AnswersPages, type Asset, type Page, pageHeaders } from '#site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { innerSend } from '../inner-send.js';
import { beforePage, lineItem, nextPart, STYLES, STYLES_NAME, watchedPage } from './demonstration.page.js';
import { type Stage, watchedPurchase } from './watched-purchase.js';

/** `{site_url}/demonstracao`: an agent buys for a demo traveller with a public password; without such a traveller there is no page. */
@AnswersPages()
@ErrorsAs(pageErrors)
@Controller()
export class DemonstrationController {
  private readonly traveller: AccountRegistration;

  constructor(
    private readonly settings: OAuthSettings,
    private readonly clock: Clock,
  ) {
    if (!settings.shownAccount) throw new Error('the demonstration needs a demo traveller');
    this.traveller = settings.shownAccount;
  }

  @Get('demonstracao')
  show(@CurrentBaseUrls() urls: BaseUrls): Page {
    return beforePage(this.traveller, urls);
  }

  /** Sends each line as soon as it has happened. @throws RequestError `form_forged` */
  @Post('demonstracao')
  @HttpCode(200)
  @LimitedBy('demonstrations')
  watch(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): StreamableFile {
    const { urls, headers, log } = request;
    if (!isOwnOrigin(headers.origin, urls)) throw new RequestError('form_forged');
    const send = innerSend(request, 'alcada-demo/1.0');
    const key = this.settings.requiresDpop === true ? new ProofKey(send) : null;
    const stage = { urls, traveller: this.traveller, send, key, now: this.clock.now() };
    const onError = (error: unknown): void => log.warn({ err: error }, 'the demonstration stopped');
    void reply.headers(pageHeaders());
    return new StreamableFile(Readable.from(piecesOf(stage, onError)));
  }

  @Get(`assets/${STYLES_NAME}`)
  styles(): Asset {
    return STYLES;
  }
}

async function* piecesOf(stage: Stage, onError: (error: unknown) => void): AsyncGenerator<string, void> {
  const [before = '', between = '', after = ''] = watchedPage(stage.traveller, stage.urls);
  yield before;
  let isWhole = false;
  for await (const line of watchedPurchase(stage, onError)) {
    isWhole = line.kind === 'refused';
    yield lineItem(line).text;
  }
  yield between + nextPart(stage.traveller, isWhole).text + after;
}
