import { Controller, Get, Module } from '@nestjs/common';
import { type Asset, ASSETS } from './assets.js';
import { AnswersPages } from './page.js';

@AnswersPages()
@Controller('assets')
class AssetsController {
  @Get('site.css')
  stylesheet(): Asset {
    return ASSETS['site.css'];
  }

  @Get('icon.svg')
  icon(): Asset {
    return ASSETS['icon.svg'];
  }

  @Get('at-most.js')
  atMost(): Asset {
    return ASSETS['at-most.js'];
  }

  @Get('page.js')
  script(): Asset {
    return ASSETS['page.js'];
  }

  @Get('preview.png')
  preview(): Asset {
    return ASSETS['preview.png'];
  }

  @Get('copiar.js')
  copyScript(): Asset {
    return ASSETS['copiar.js'];
  }
}

@Module({ controllers: [AssetsController] })
export class SiteModule {}
