import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../event-types.js';
import { DELIVERY_STATUSES, type DeliveryStatus, type ListedDelivery } from './deliveries.js';
import { SIGNATURES, type SignatureKind } from './signing.js';
import { DISABLED_REASONS, type DisabledReason, type Webhook } from './stored-webhook.js';
import type { Keyed } from './webhooks.js';

const TYPES = Object.keys(EVENT_TYPES);
const STATUSES = ['active', 'disabled'] as const;

@ApiSchema({ name: 'Webhook' })
export class WebhookView {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ format: 'uri' })
  readonly url: string;

  @ApiProperty({ enum: TYPES, isArray: true })
  readonly types: readonly EventType[];

  @ApiProperty({ type: String, nullable: true })
  readonly description: string | null;

  @ApiProperty({ enum: SIGNATURES })
  readonly signature: SignatureKind;

  @ApiProperty({ enum: STATUSES })
  readonly status: (typeof STATUSES)[number];

  @ApiPropertyOptional({
    enum: DISABLED_REASONS,
    description: 'Por que nada é enviado: três dias de falhas, um 410, o próprio agente ou o operador.',
  })
  readonly disabledReason?: DisabledReason;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Desde quando nenhuma entrega chega; null: a última chegou.',
  })
  readonly failingSince: string | null;

  @ApiProperty({
    type: [String],
    description: 'As chaves públicas que verificam as entregas agora; de um segredo, nenhuma.',
  })
  readonly publicKeys: readonly string[];

  @ApiProperty({ format: 'date-time' })
  readonly createdAt: string;
}

@ApiSchema({ name: 'WebhookSecret' })
export class WebhookSecretView {
  @ApiPropertyOptional({ description: 'O segredo que assina (whsec_), mostrado só agora. De hmac-sha256.' })
  readonly secret?: string;

  @ApiPropertyOptional({ description: 'A chave pública que verifica (whpk_). De ed25519.' })
  readonly publicKey?: string;
}

@ApiSchema({ name: 'CreatedWebhook' })
export class CreatedWebhookView extends WebhookView implements WebhookSecretView {
  @ApiPropertyOptional({ description: 'O segredo que assina (whsec_), mostrado só agora. De hmac-sha256.' })
  readonly secret?: string;

  @ApiPropertyOptional({ description: 'A chave pública que verifica (whpk_). De ed25519.' })
  readonly publicKey?: string;
}

@ApiSchema({ name: 'WebhookList' })
export class WebhookListView {
  @ApiProperty({ type: [WebhookView], description: 'Todos, até dez.' })
  readonly items: readonly WebhookView[];
}

@ApiSchema({ name: 'WebhookTest' })
export class WebhookTestView {
  @ApiProperty({ description: 'Se a mensagem de teste foi respondida com 2xx.' })
  readonly delivered: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'O status da resposta; null: não houve.' })
  readonly responseStatus: number | null;
}

@ApiSchema({ name: 'WebhookDelivery' })
export class DeliveryView {
  @ApiProperty({ description: 'O id do evento, e o cabeçalho webhook-id.' })
  readonly eventId: string;

  @ApiProperty({ enum: TYPES })
  readonly type: EventType;

  @ApiProperty({ enum: DELIVERY_STATUSES })
  readonly status: DeliveryStatus;

  @ApiProperty({ type: 'integer', description: 'Quantas vezes foi tentada.' })
  readonly attempts: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'O status da última resposta; null: não houve.' })
  readonly responseStatus: number | null;

  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  readonly attemptedAt: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Quando será tentada de novo; null em pending: depois da que espera antes dela.',
  })
  readonly nextAt: string | null;
}

@ApiSchema({ name: 'WebhookDeliveryList' })
export class DeliveryListView {
  @ApiProperty({ type: [DeliveryView], description: 'Até cem, do evento mais novo ao mais antigo.' })
  readonly items: readonly DeliveryView[];
}

export const createdView = (created: Keyed): CreatedWebhookView => {
  const [webhook, keys]: [object, object] = [webhookView(created.webhook), secretView(created)];
  return { ...webhook, ...keys } as CreatedWebhookView; // the members of both, and no others
};

export const webhookView = ({ id, body }: Webhook): WebhookView => ({
  id,
  url: body.url,
  types: body.types,
  description: body.description ?? null,
  signature: body.keys[0]?.signature ?? 'hmac-sha256',
  status: body.disabled ? 'disabled' : 'active',
  ...(body.disabled && { disabledReason: body.disabled }),
  failingSince: body.failingSince ?? null,
  publicKeys: body.keys.flatMap(({ publicKey }) => publicKey ?? []),
  createdAt: body.createdAt,
});

export const secretView = ({ shown }: Pick<Keyed, 'shown'>): WebhookSecretView =>
  shown.startsWith('whsec_') ? { secret: shown } : { publicKey: shown };

export const deliveryView = (delivery: ListedDelivery): DeliveryView => {
  const { place, status, attempts, responseStatus, attemptedAt, nextAt } = delivery;
  return { eventId: place.id, type: place.type, status, attempts, responseStatus, attemptedAt, nextAt };
};
