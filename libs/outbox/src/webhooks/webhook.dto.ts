import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsArray, IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import { answers, eitherOf, Optional } from '#http';
import { visibleLine } from '#kernel';
import { EVENT_TYPES, type EventType } from '../event-types.js';
import { SIGNATURES, type SignatureKind } from './signing.js';

const TYPES = Object.keys(EVENT_TYPES);
const URL_TEXT = answers('invalid_webhook', 'deve ser um texto');
const TYPE_LIST = answers('invalid_webhook', 'deve ser uma lista não vazia e sem repetições de tipos de eventos');
const LINE = visibleLine(140);
const DESCRIPTION = answers('invalid_webhook', 'deve ser um texto de uma linha, com até 140 caracteres');

const OfTypes = () => (target: object, name: string) => {
  for (const rule of [
    Optional(),
    IsArray(TYPE_LIST),
    ArrayNotEmpty(TYPE_LIST),
    ArrayMaxSize(TYPES.length, TYPE_LIST),
    ArrayUnique(TYPE_LIST),
    IsIn(TYPES, { ...TYPE_LIST, each: true }),
  ])
    rule(target, name);
};

/** Body of `POST /webhooks`. */
@ApiSchema({ name: 'CreateWebhook' })
export class CreateWebhookDto {
  @ApiProperty({ format: 'uri', maxLength: 2000, description: 'Um endereço https, que responde à verificação.' })
  @IsString(URL_TEXT)
  readonly url: string;

  @ApiPropertyOptional({
    enum: TYPES,
    isArray: true,
    uniqueItems: true,
    minItems: 1,
    description: 'De que eventos avisar; sem ele, todos os que os escopos do token permitem.',
  })
  @OfTypes()
  readonly types?: readonly EventType[];

  @ApiPropertyOptional({ maxLength: 140, description: 'Para quem o lê na lista.' })
  @Optional()
  @IsString(DESCRIPTION)
  @Matches(LINE, DESCRIPTION)
  readonly description?: string;

  @ApiPropertyOptional({
    enum: SIGNATURES,
    default: 'hmac-sha256',
    description: 'Como as entregas são assinadas: por um segredo (v1) ou por uma chave Ed25519 (v1a).',
  })
  @Optional()
  @IsIn(SIGNATURES, answers('invalid_webhook', `deve ser ${eitherOf(SIGNATURES)}`))
  readonly signature?: SignatureKind;
}

/** Body of `PATCH /webhooks/{id}`. */
@ApiSchema({ name: 'ChangeWebhook' })
export class ChangeWebhookDto {
  @ApiPropertyOptional({ format: 'uri', maxLength: 2000, description: 'Outro endereço, que é verificado antes.' })
  @Optional()
  @IsString(URL_TEXT)
  readonly url?: string;

  @ApiPropertyOptional({ enum: TYPES, isArray: true, uniqueItems: true, minItems: 1 })
  @OfTypes()
  readonly types?: readonly EventType[];

  @ApiPropertyOptional({ maxLength: 140 })
  @Optional()
  @IsString(DESCRIPTION)
  @Matches(LINE, DESCRIPTION)
  readonly description?: string;

  @ApiPropertyOptional({
    description: 'false: nada é enviado até true, que envia o que ficou guardado; o endereço é verificado de novo.',
  })
  @Optional()
  @IsBoolean(answers('invalid_webhook', 'deve ser true ou false'))
  readonly enabled?: boolean;
}

/** Body of `POST /webhooks/{id}/replay`. */
@ApiSchema({ name: 'ReplayWebhook' })
export class ReplayWebhookDto {
  @ApiProperty({ description: 'O cursor de um evento: tudo o que veio depois dele é enviado de novo.' })
  @IsString(answers('invalid_cursor', 'deve ser um texto'))
  readonly after: string;
}
