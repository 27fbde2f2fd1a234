import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { answers, OpenForm, Optional } from '../validation.js';
import { MOST_NAMES, type Metadata } from './attached-metadata.js';

/** Characters of Unicode, not units of UTF-16; half a pair is none. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,40}$/u;
const VALUE = /^\P{Cs}{0,500}$/su;
const TEXT = 'deve ser um objeto de até 50 textos: nomes de 1 a 40 caracteres, valores de até 500';

const isMetadata = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MOST_NAMES &&
    entries.every(([name, text]: [string, unknown]) => NAME.test(name) && typeof text === 'string' && VALUE.test(text))
  );
};

/** Texts under names of the agent's own choice. */
@OpenForm()
export class MetadataDto implements Metadata {
  readonly [name: string]: string;
}

const schemaWith = (description: string) => ({
  type: 'object' as const,
  additionalProperties: { type: 'string' as const, maxLength: 500 },
  maxProperties: MOST_NAMES,
  description,
  example: { viagem: 'congresso-2027', cliente: '4711' },
});

/** A member of a request that may be metadata (docs/decisions.md, Metadata). */
export const IsMetadata = () =>
  applyDecorators(
    ApiPropertyOptional(
      schemaWith(
        'Textos livres do agente, que só ele vê: até 50, com nomes de até 40 caracteres. Um texto vazio apaga o nome. ' +
          'Nada de senhas ou dados de cartão.',
      ),
    ),
    Optional(),
    ValidateBy({ name: 'isMetadata', validator: { validate: isMetadata } }, answers('invalid_metadata', TEXT)),
  );

export const HasMetadata = () =>
  ApiProperty(schemaWith('Os textos que este agente guardou aqui; vazio para qualquer outro.'));
