import { Equals, IsString, Matches } from 'class-validator';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { answers, Closed, DROPPED_KEYS, formOf, Optional, unknownIn, validated } from '#http';
import { CURRENCIES, DomainError, SCOPES, visibleLine } from '#kernel';
import { CreateMandateDto, type MandateTerms, termsOf } from '#mandate';
import { z } from 'zod';
import { OAuthError } from '../oauth-error.js';

/** The one type of authorization details (RFC 9396 §2): a payment mandate that the traveller grants on the consent page. */
export const PAYMENT_MANDATE = 'payment_mandate';

/** How many mandates one request may ask for. */
const MOST = 5;

const TYPE = answers('invalid_body', `deve ser ${PAYMENT_MANDATE}`);
const PURPOSE = answers('invalid_body', 'deve ser um texto de uma linha, com até 140 caracteres');

const PURPOSE_LINE = visibleLine(140);

/** A payment mandate that an agent asks for, as its `authorization_details` have it. */
@Closed()
@ApiSchema({ name: 'PaymentMandateDetail' })
export class PaymentMandateDetailDto extends CreateMandateDto {
  @ApiProperty({ enum: [PAYMENT_MANDATE] })
  @Equals(PAYMENT_MANDATE, TYPE)
  readonly type: typeof PAYMENT_MANDATE;

  @ApiPropertyOptional({ pattern: PURPOSE_LINE.source, description: 'Para que é, nas palavras do agente.' })
  @Optional()
  @IsString(PURPOSE)
  @Matches(PURPOSE_LINE, PURPOSE)
  readonly purpose?: string;
}

const money = z.object({ amount: z.int(), currency: z.enum(CURRENCIES) });

/** A mandate that is asked for, or was granted, under an id that was fixed when it was asked for. */
export const storedDetail = z.object({
  mandateId: z.string(),
  scope: z.array(z.enum(SCOPES)).readonly(),
  limit: money,
  minutes: z.int(),
  constraints: z
    .object({
      from: z.array(z.string()).readonly().optional(),
      to: z.array(z.string()).readonly().optional(),
      maxPricePerSeat: money.optional(),
      maxOrders: z.int().optional(),
      orderTotal: z.object({ min: money.optional(), max: money }).optional(),
    })
    .optional(),
  purpose: z.string().optional(),
});
export type MandateDetail = z.infer<typeof storedDetail>;

/** The mandates of `authorization_details`: up to 5, known members (RFC 9396 §2, §5). @throws OAuthError `details_flawed` */
export const detailsIn = (parameter: string | undefined, newId: () => string): readonly MandateDetail[] => {
  if (parameter === undefined) return [];
  const given = parsed(parameter);
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST) throw new OAuthError('details_flawed');
  return given.map((one: unknown) => ({ mandateId: newId(), ...detailIn(one) }));
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text, withoutDropped);
  } catch (cause) {
    throw new OAuthError('details_flawed', { cause });
  }
};

/** A name that bodies are stripped of elsewhere would pass unseen here: it is refused. */
const withoutDropped = (name: string, value: unknown): unknown => {
  if (DROPPED_KEYS.has(name)) throw new SyntaxError(`a member is called ${name}`);
  return value;
};

const detailIn = (given: unknown): MandateTerms & { readonly purpose?: string } => {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  if (!isObject || unknownIn(formOf(PaymentMandateDetailDto), given).length > 0) throw new OAuthError('details_flawed');
  try {
    const detail = validated(PaymentMandateDetailDto, given);
    return { ...termsOf(detail), ...(detail.purpose && { purpose: detail.purpose }) };
  } catch (error) {
    throw error instanceof DomainError ? new OAuthError('details_flawed', { cause: error }) : error;
  }
};

/** A granted detail as the token endpoint answers it (RFC 9396 §7): what was granted, which may be less than was asked for. */
export const grantedDetail = ({ mandateId, scope, limit, minutes, constraints, purpose }: MandateDetail) => ({
  type: PAYMENT_MANDATE,
  mandateId,
  limit,
  durationMinutes: minutes,
  scope,
  ...(constraints && { constraints }),
  ...(purpose !== undefined && { purpose }),
});
export type GrantedDetail = ReturnType<typeof grantedDetail>;
