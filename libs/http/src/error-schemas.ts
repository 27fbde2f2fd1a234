import { DomainError, type ErrorCode } from '#kernel';
import type { BaseUrls } from './base-urls.js';
import { answerOf } from './error-answer.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';

type Schema = Readonly<Record<string, unknown>>;

/** What an error has beside the members that all have, with an example; `isSure` where no error of its code lacks it. */
interface Member {
  readonly schema: Schema;
  /** Left out where most errors of the code do not have it. */
  readonly example?: unknown;
  readonly isSure?: true;
}

const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const text = (description: string): Schema => ({ type: 'string', description });
const address = (description: string): Schema => ({ type: 'string', format: 'uri', description });
const instant = (description: string): Schema => ({ type: 'string', format: 'date-time', description });
const uuid: Schema = { type: 'string', format: 'uuid' };
const object = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', ...(required.length > 0 && { required }), properties };
};
const brl = (amount: number) => ({ amount, currency: 'BRL' });

const FIELDS: Schema = {
  type: 'array',
  maxItems: 20,
  items: named('FieldError'),
  description: 'Os campos errados, se a recusa é de um campo.',
};
const fields = (field: string, message: string): { readonly details: Member } => ({
  details: { schema: FIELDS, example: [{ field, message }] },
});

const ID = '4c8f1a52-7a0e-4b52-9f39-2a8f6f1d0c11';
const orderMember = (status: string): { readonly order: Member } => ({
  order: { schema: named('OrderReference'), example: { id: ID, status, url: `{base_url}/orders/${ID}` }, isSure: true },
});

/** What the errors of each code have of their own (docs/interface.md, Error); a code that is not here has nothing. */
const MEMBERS: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, Member>>>>> = {
  invalid_arguments: fields('flightNumber', 'deve ser um texto'),
  invalid_token: fields('DPoP', 'A prova DPoP não confere com a requisição ou com a chave do token.'),
  invalid_body: fields('expectedTotal.amount', 'deve ser um inteiro em centavos'),
  invalid_flight: fields('flightNumber', 'deve ser um texto'),
  invalid_fare: {
    details: {
      schema: {
        description: 'As tarifas que o voo tem, se ele não tem a informada; ou os campos errados.',
        oneOf: [named('AvailableFares'), FIELDS],
      },
      example: {
        currency: 'BRL',
        fares: [
          { code: 'LEVE', name: 'Leve', price: 45_990 },
          { code: 'CONEXAO', name: 'Clássica com conexão', price: 49_990 },
          { code: 'CLASSICA', name: 'Clássica', price: 57_990 },
          { code: 'COMPLETA', name: 'Completa', price: 72_990 },
        ],
      },
    },
  },
  invalid_passengers: fields('passengers', 'deve ser um inteiro de 1 a 9'),
  invalid_travellers: fields(
    'travellers.1.familyName',
    'deve ter de 1 a 100 caracteres, com uma letra e nada invisível',
  ),
  invalid_change: fields('flightNumber', 'não pode ser nulo'),
  invalid_limit: fields('limit.amount', 'deve ser um inteiro de 1 a 1000000000000 centavos'),
  invalid_currency: fields('limit.currency', 'deve ser BRL, USD ou EUR'),
  invalid_validity: fields('durationMinutes', 'deve ser um inteiro de 1 a 10080'),
  invalid_mandate_scope: fields('scope', 'deve ser uma lista não vazia e sem repetições dos escopos conhecidos'),
  invalid_constraints: fields('constraints.maxOrders', 'deve ser um inteiro de 1 a 1000'),
  invalid_booking: fields('bookingId', 'deve ser um texto'),
  invalid_mandate: fields('mandateId', 'deve ser um texto'),
  invalid_payment: fields('payment.cvc', 'deve ser um texto'),
  invalid_metadata: fields('metadata', 'pode ter até 50 nomes'),
  invalid_budget: fields('budget', 'deve ser um inteiro em centavos, informado uma única vez'),
  invalid_query: fields('limit', 'deve ser um inteiro de 1 a 500'),
  invalid_window: fields('from', 'deve ser anterior a to'),
  invalid_webhook: fields('url', 'não respondeu à verificação com o challenge'),
  cursor_too_old: {
    details: {
      schema: object({ oldest: text('O cursor mais antigo que ainda vale.') }),
      example: { oldest: 'MDAwMDAwMDAwMDAwMDAwMDQyMTcuMDAwMDAw' },
      isSure: true,
    },
  },
  flight_departed: {
    details: {
      schema: object({ closedAt: instant('Quando a venda terminou.') }),
      example: { closedAt: '2026-11-23T12:00:00.000Z' },
    },
  },
  unknown_member: {
    details: {
      schema: { type: 'array', items: named('Warning'), description: 'Os nomes desconhecidos.' },
      example: [
        {
          in: 'body',
          field: 'passangers',
          suggestion: 'passengers',
          message: 'é desconhecido; talvez seja passengers',
        },
      ],
    },
  },
  invalid_signature: {
    details: { schema: object({ reason: text('Por que a assinatura não confere.') }), example: { reason: 'expired' } },
  },
  payment_challenge_required: {
    ...orderMember('pending'),
    challenge: {
      schema: named('PaymentChallenge'),
      example: {
        id: ID,
        url: `{site_url}/desafios/${ID}`,
        expiresAt: '2026-11-23T12:10:00.000Z',
        pollAfterSeconds: 5,
      },
      isSure: true,
    },
  },
  booking_already_ordered: orderMember('paid'),
  order_in_progress: orderMember('pending'),
  offer_expired: {
    details: {
      schema: object(
        {
          previous: named('Money'),
          current: named('Money'),
          expiresAt: instant('Até quando o total anterior era prometido.'),
          conditions: {
            ...object({ previous: named('Conditions'), current: named('Conditions') }),
            description: 'Só se o que volta de um cancelamento é menos do que o prometido.',
          },
        },
        ['conditions'],
      ),
      example: { previous: brl(57_990), current: brl(61_990), expiresAt: '2026-11-23T12:00:00.000Z' },
    },
  },
  order_not_cancellable: {
    details: {
      schema: object({
        reason: {
          type: 'string',
          enum: ['not_paid', 'undated', 'departed', 'in_progress', 'cancelled', 'refund_failed'],
          description: 'Por que o pedido não pode ser cancelado.',
        },
      }),
      example: { reason: 'departed' },
      isSure: true,
    },
  },
  cancellation_expired: {
    details: {
      schema: object({ cancellation: named('Cancellation') }),
      example: {
        cancellation: {
          ...{ id: ID, orderId: ID, status: 'quoted', refund: brl(3_420), fee: brl(54_570), reason: 'fare_rule' },
          refundTo: { brand: 'visa', last4: '4242' },
          expiresAt: '2026-11-23T12:25:00.000Z',
        },
      },
      isSure: true,
    },
  },
  mandate_pending: {
    mandate: {
      schema: named('MandateReference'),
      example: { id: ID, status: 'pending', url: `{base_url}/mandates/${ID}` },
    },
    approval: {
      schema: named('MandateApproval'),
      example: {
        url: `{site_url}/conta/mandatos/${ID}/decidir`,
        expiresAt: '2026-11-23T12:15:00.000Z',
        pollAfterSeconds: 5,
      },
    },
  },
  mandate_ambiguous: {
    details: {
      schema: object({ mandateIds: { type: 'array', items: uuid } }),
      example: { mandateIds: [ID, '9d2b7c1e-3f64-4a0b-8c5d-6e7f8091a2b3'] },
    },
  },
  mandate_limit_exceeded: {
    details: {
      schema: object({ required: named('Money'), remaining: named('Money') }),
      example: { required: brl(57_990), remaining: brl(12_010) },
    },
  },
  mandate_constraint_violated: {
    details: {
      schema: object({
        constraint: { type: 'string', enum: ['from', 'to', 'maxPricePerSeat', 'maxOrders', 'orderTotal'] },
        value: {
          description: 'O que a condição permite.',
          oneOf: [
            { type: 'array', items: { type: 'string' }, description: 'De from e to: os aeroportos.' },
            { ...named('Money'), description: 'De maxPricePerSeat: o preço.' },
            { type: 'integer', description: 'De maxOrders: o número de pedidos.' },
            {
              type: 'object',
              properties: { min: named('Money'), max: named('Money') },
              required: ['max'],
              description: 'De orderTotal: o total de um pedido, no mínimo e no máximo.',
            },
          ],
        },
      }),
      example: { constraint: 'to', value: ['REC'] },
    },
  },
  mandate_paused: {
    details: {
      schema: object({
        allAgents: { const: true, description: 'O viajante pausou todos os agentes, e não só este mandato.' },
      }),
    },
  },
  mandate_cap_exceeded: {
    details: {
      schema: object({ cap: named('Money'), used: named('Money'), available: named('Money') }),
      example: { cap: brl(200_000), used: brl(150_000), available: brl(50_000) },
    },
  },
  rate_limited: {
    details: {
      schema: object(
        {
          limit: { type: ['string', 'integer'], description: 'O limite de que se trata; um número é quantos cabem.' },
          endsAt: instant('Quando ele se renova.'),
          openMandates: { type: 'integer', description: 'Quantos mandatos estão abertos.' },
        },
        ['endsAt', 'openMandates'],
      ),
      example: { limit: 'operations', endsAt: '2026-11-23T12:01:00.000Z' },
    },
  },
  service_unavailable: {
    details: {
      schema: object({
        missing: { type: 'array', items: { type: 'string' }, description: 'O que falta ao processo.' },
      }),
    },
    order: { schema: named('OrderReference') },
  },
};

const PARTS: Readonly<Record<string, Schema>> = {
  Error: {
    description: 'O que todo erro tem. Cada código tem uma forma própria, que acrescenta a esta o que for dele.',
    ...object(
      {
        error: text('Código estável do erro.'),
        message: text('O mesmo para pessoas, em português.'),
        details: { description: 'O que exatamente estava errado; a forma depende do código.' },
        doc_url: address('A página que explica o erro: o que significa, por que acontece e o que fazer.'),
        requestId: text('Identifica a requisição no registro do serviço; é também o cabeçalho X-Request-Id.'),
      },
      ['details'],
    ),
  },
  FieldError: object({
    field: text('O campo, com pontos para o que está dentro.'),
    message: text('O que há de errado.'),
  }),
  AvailableFares: object({
    currency: { type: 'string', enum: ['BRL', 'USD', 'EUR'], description: 'Moeda dos preços.' },
    fares: { type: 'array', items: named('AvailableFare') },
  }),
  AvailableFare: object({
    code: text('O `fareCode` das reservas.'),
    name: text('O nome da tarifa.'),
    price: { type: 'integer', description: 'Preço por passageiro, em centavos.' },
  }),
  OrderReference: {
    description: 'O pedido de que o erro trata.',
    ...object({ id: uuid, status: { type: 'string' }, url: address('Onde o pedido é lido.') }),
  },
  MandateReference: {
    description: 'O mandato que espera a decisão do viajante.',
    ...object({ id: uuid, status: { type: 'string' }, url: address('Onde o mandato é lido.') }),
  },
  PaymentChallenge: {
    description: 'A confirmação que o viajante deve dar.',
    ...object({
      id: uuid,
      url: address('A página em que o viajante decide.'),
      expiresAt: instant('Até quando ele pode decidir.'),
      pollAfterSeconds: { type: 'integer', description: 'Intervalo, em segundos, para repetir a requisição.' },
    }),
  },
};

/** `mandate_limit_exceeded` is described by `MandateLimitExceededError`. */
export const errorSchemaName = (code: ErrorCode): string =>
  code
    .replace(/_error$/, '')
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('') + 'Error';

const schemaOfCode = (code: ErrorCode): Schema => {
  const members = Object.entries(MEMBERS[code] ?? {});
  const properties = Object.fromEntries(members.map(([name, { schema }]) => [name, schema]));
  const unsure = members.flatMap(([name, { isSure }]) => (isSure ? [] : [name]));
  return {
    description: ERROR_CATALOGUE[code].message,
    allOf: [named('Error'), object({ error: { type: 'string', const: code }, ...properties }, unsure)],
  };
};

/** The schemas of errors of these codes, by name: what they are made of, and one of each code. They point at some of the views. */
export const errorSchemas = (codes: readonly ErrorCode[]): Readonly<Record<string, Schema>> => ({
  ...PARTS,
  ...Object.fromEntries(codes.map((code) => [errorSchemaName(code), schemaOfCode(code)])),
});

export const errorExample = (code: ErrorCode, urls: BaseUrls): object => {
  const members = Object.entries(MEMBERS[code] ?? {}).flatMap(([name, { example }]) =>
    example === undefined ? [] : [[name, example] as const],
  );
  const { details, ...others } = Object.fromEntries(members) as { readonly details?: object };
  const id = 'b7f0a3de-51c8-4c0f-8a37-6a1e0d4f2b95';
  return withAddresses(answerOf(new DomainError(code, details, { members: others }), { id, urls }).body, urls);
};

/** An example with the addresses of this service for their names. */
export const withAddresses = <Example>(example: Example, { base, site }: BaseUrls): Example =>
  JSON.parse(
    JSON.stringify(example).replaceAll('"{base_url}', `"${base}`).replaceAll('"{site_url}', `"${site}`),
  ) as Example;
