import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type BaseUrls, CurrentBaseUrls, ETagInterceptor, Public } from '#http';
import { MessageKeys } from '#oauth';
import { PaymentTokens } from '../payment/payment-tokens.js';
import { capabilitiesOf, type Capability } from '../capabilities.js';
import { UcpSettings } from '../ucp-settings.js';
import { VERSION } from '../versions.js';

/** `GET {site_url}/.well-known/ucp`: what a platform reads before it asks for anything. */
@ApiExcludeController()
@Public()
@Controller('.well-known/ucp')
export class ProfileController {
  constructor(
    private readonly tokens: PaymentTokens,
    private readonly keys: MessageKeys,
    private readonly settings: UcpSettings,
  ) {}

  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  @UseInterceptors(ETagInterceptor)
  async profile(@CurrentBaseUrls() urls: BaseUrls) {
    const keys = (await this.keys.all()).map(({ jwk }) => jwk);
    return businessProfile(urls, capabilitiesOf(this.settings), this.tokens.handlers(urls), keys);
  }
}

/** Of each name the ways to pay here (UCP, `payment_handler.json`, business_schema). */
type PaymentHandlers = Readonly<Record<string, readonly object[]>>;

const SITE = `https://ucp.dev/${VERSION}`;

/** What is sold here, how it is asked for, and by which keys our messages are known (UCP, Business Profile). */
const businessProfile = (
  { site }: BaseUrls,
  all: readonly Capability[],
  handlers: PaymentHandlers,
  keys: readonly object[],
) => {
  const service = (transport: string, endpoint: string, schema: string) => ({
    version: VERSION,
    spec: `${SITE}/specification/overview`,
    transport,
    endpoint: `${site}${endpoint}`,
    schema: `${SITE}/services/shopping/${schema}.json`,
  });
  const capabilities = all.map(({ name, extends: parents, ...one }) => {
    const [parent, ...more] = parents;
    return [name, [{ ...one, ...(parent !== undefined && { extends: more.length > 0 ? parents : parent }) }]] as const;
  });
  return {
    ucp: {
      version: VERSION,
      services: {
        'dev.ucp.shopping': [service('rest', '/ucp/v1', 'rest.openapi'), service('mcp', '/ucp/mcp', 'mcp.openrpc')],
      },
      capabilities: Object.fromEntries(capabilities),
      payment_handlers: handlers,
    },
    signing_keys: keys,
  };
};
