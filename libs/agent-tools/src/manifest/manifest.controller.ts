import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, ETagInterceptor } from '#http';
import { BrowserScript } from './browser-script.js';
import { manifestOf } from './manifest.js';

/** Where a page's script and an agent find the tools. */
@ApiExcludeController()
@Controller('.well-known/webmcp.json')
export class ManifestController {
  constructor(private readonly script: BrowserScript) {}

  @Get()
  @Header('cache-control', 'public, max-age=3600')
  @UseInterceptors(ETagInterceptor)
  get(@CurrentBaseUrls() urls: BaseUrls) {
    return manifestOf(urls, this.script);
  }
}
