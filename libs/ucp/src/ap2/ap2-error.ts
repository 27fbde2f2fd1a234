import { UcpError } from '../ucp-error.js';

/** What the specification calls each refusal of a mandate (UCP, AP2 Mandates, Error Codes), for people. */
const CONTENT = {
  mandate_required: 'Esta compra exige mandatos AP2: o da compra, em ap2.checkout_mandate, e o do pagamento.',
  agent_missing_key: 'Não há chave conhecida para quem assinou o mandato.',
  mandate_invalid_signature: 'O mandato não pôde ser verificado.',
  mandate_expired: 'O mandato venceu.',
  mandate_scope_mismatch: 'O mandato não autoriza esta compra.',
  merchant_authorization_invalid: 'A compra que o mandato traz não foi assinada por esta loja.',
  merchant_authorization_missing: 'A compra que o mandato traz está sem ap2.merchant_authorization.',
} as const;

export type Ap2Code = keyof typeof CONTENT;

/** What a receipt says of a refusal (AP2 0.2, Agent Authorization, Errors). */
type ReceiptErrorCode = 'invalid_credential' | 'unresolved_constraint' | 'invalid_mandate';

const RECEIPT_CODES: Partial<Record<Ap2Code, ReceiptErrorCode>> = {
  agent_missing_key: 'invalid_credential',
  mandate_invalid_signature: 'invalid_credential',
};

/** Why nothing came of a mandate, as its receipt says it: a code, and words for people. */
export interface Refused {
  readonly code: string;
  readonly description: string;
}

/** A refusal of a mandate. `detail`: what exactly, for people, without anything of the mandate that is secret. */
export class Ap2Error extends UcpError {
  /** What its receipts say, and those, once they are signed. */
  readonly refused: Refused;
  receipts: object | null = null;

  constructor(
    override readonly code: Ap2Code,
    detail = '',
    { isUnresolved = false, cause }: { readonly isUnresolved?: boolean; readonly cause?: unknown } = {},
  ) {
    // Another mandate makes the same request succeed.
    super(422, code, detail ? `${CONTENT[code]} ${detail}` : CONTENT[code], { severity: 'recoverable', cause });
    const said = isUnresolved ? 'unresolved_constraint' : (RECEIPT_CODES[code] ?? 'invalid_mandate');
    this.refused = { code: said, description: this.content };
  }

  override get members(): object {
    return this.receipts ? { ap2: this.receipts } : {};
  }
}

/** A mandate that is for something else. `detail`: for what. */
export const mismatch = (detail: string): Ap2Error => new Ap2Error('mandate_scope_mismatch', detail);
