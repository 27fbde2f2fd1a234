import { Injectable } from '@nestjs/common';
import type { BaseUrls } from '#http';
import type { Money } from '#kernel';
import type { Asking } from '../asking.js';
import type { Instrument } from '../checkout/session-requests.js';
import { NEEDS_TRAVELLER } from '../checkout/refusal-messages.js';
import type { ErrorMessage } from '../envelope.js';
import { UcpSettings } from '../ucp-settings.js';
import { VERSION } from '../versions.js';
import { MadeTokens } from './made-tokens.js';
import { type Authority, type Handlers, PaymentTokens } from './payment-tokens.js';
import { TestTokens } from './test-tokens.js';

const HANDLER = 'alcada_mandate';
/** The kind of our handler's instruments and their credentials. */
export const INSTRUMENT = 'mandate_token';
/** What the handler is called on an installation without a domain of its own, which nobody else can reach. */
const TEST_NAMESPACE = 'test.alcada';

const refused = (code: string, content: string): ErrorMessage => ({
  type: 'error',
  code,
  content,
  severity: 'recoverable',
  path: '$.payment.instruments[0]',
});

/** The token that everybody knows of a mandate whose traveller is asked for each purchase. */
const ASKS_FIRST = 'alcada_test_escalated';

/** Tokens by which platforms charge mandates of travellers. */
@Injectable()
export class MandateTokens extends PaymentTokens {
  constructor(
    private readonly settings: UcpSettings,
    private readonly test: TestTokens,
    private readonly made: MadeTokens,
  ) {
    super();
  }

  override handlers({ site }: BaseUrls): Handlers {
    const { namespace, traveller } = this.settings;
    const name = namespace ?? (traveller && TEST_NAMESPACE);
    if (name === null) return {};
    const handler = {
      ...{ id: HANDLER, version: VERSION, spec: `${site}/docs/agents`, schema: `${site}/ucp/v1/schemas/mandate-token` },
      available_instruments: [{ type: INSTRUMENT }],
      config: {},
    };
    return { [`${name}.mandate`]: [handler] };
  }

  override async authorityOf(
    asking: Asking,
    { handler_id: handler, type, credential }: Instrument,
    { currency }: Money,
  ): Promise<Authority | ErrorMessage> {
    const { proof } = asking;
    const token = credential?.token;
    if (handler !== HANDLER || type !== INSTRUMENT || credential?.type !== INSTRUMENT || token === undefined)
      return refused('unsupported_instrument', `Aqui se paga com um instrumento ${INSTRUMENT} de ${HANDLER}.`);
    if (proof === null)
      return refused('platform_unproven', 'Um token só vale de uma plataforma que assina a requisição.');
    if (this.settings.traveller && token === ASKS_FIRST) return NEEDS_TRAVELLER;
    const known = await this.test.authorityOf(asking, token, currency);
    const authority = known ?? (await this.made.authorityOf(asking, token));
    return authority ?? refused('payment_failed', 'Este token não vale para esta plataforma ou para este viajante.');
  }
}
