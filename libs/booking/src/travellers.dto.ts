import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsObject,
  IsString,
  Matches,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { answers, ListOf, Optional } from '#http';
import { visibleLine } from '#kernel';
import type { Contact, Traveller } from './travellers.js';

/** A line in which a person is named: a letter at least, and nothing that is not seen. */
const NAME = new RegExp(`^(?=.*\\p{L})${visibleLine(100, 1).source.slice(1)}`, 'u');
const WORD = visibleLine(20, 1);
const NUMBER = visibleLine(40, 1);
/** How somebody is reached who flies, or who buys. */
export const EMAIL = /^(?=.{3,254}$)[^\s@\p{C}\p{DI}]+@[^\s@\p{C}\p{DI}]+$/u;
export const PHONE = /^\+?[0-9 ()-]{8,24}$/;

const travellers = (message: string) => answers('invalid_travellers', message);
const contact = (message: string) => answers('invalid_body', message);
const NAMED = travellers('deve ter de 1 a 100 caracteres, com uma letra e nada invisível');
const DATE = travellers('deve ser uma data AAAA-MM-DD desde 1900');
const TYPE = travellers('deve ter de 1 a 20 caracteres, sem nada invisível');
const DIGITS = travellers('deve ter de 1 a 40 caracteres, sem nada invisível');
const DOCUMENT = travellers('deve ser um objeto com type e number');
const LIST = travellers('deve ser uma lista de 1 a 9 objetos');

/** Whether it is a day of the calendar, of this or the last century. */
const isDate = (value: unknown): boolean => {
  if (typeof value !== 'string' || !/^(19|20)\d\d-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
};

@ApiSchema({ name: 'TravellerDocument' })
export class TravellerDocumentDto {
  @ApiProperty({ example: 'CPF', minLength: 1, maxLength: 20 })
  @IsString(TYPE)
  @Matches(WORD, TYPE)
  readonly type: string;

  @ApiProperty({ example: '123.456.789-09', minLength: 1, maxLength: 40 })
  @IsString(DIGITS)
  @Matches(NUMBER, DIGITS)
  readonly number: string;
}

/** Who flies; kept apart from booking and order, so that it can be erased. */
@ApiSchema({ name: 'Traveller' })
export class TravellerDto implements Traveller {
  @ApiProperty({ example: 'Conceição', minLength: 1, maxLength: 100 })
  @IsString(NAMED)
  @Matches(NAME, NAMED)
  readonly givenName: string;

  @ApiProperty({ example: 'dos Santos', minLength: 1, maxLength: 100 })
  @IsString(NAMED)
  @Matches(NAME, NAMED)
  readonly familyName: string;

  @ApiPropertyOptional({
    format: 'date',
    example: '1990-05-17',
    description: 'Com menos de 2 anos no dia do voo, precisa de um adulto só seu; sem data, é um adulto.',
  })
  @Optional()
  @ValidateBy({ name: 'isDate', validator: { validate: isDate } }, DATE)
  readonly birthDate?: string;

  @ApiPropertyOptional({ type: TravellerDocumentDto })
  @Optional()
  @IsObject(DOCUMENT)
  @ValidateNested(DOCUMENT)
  readonly document?: TravellerDocumentDto;
}

@ApiSchema({ name: 'Contact' })
export class ContactDto implements Contact {
  @ApiPropertyOptional({ example: 'conceicao@example.com', maxLength: 254 })
  @Optional()
  @IsString(contact('deve ser um endereço de e-mail'))
  @Matches(EMAIL, contact('deve ser um endereço de e-mail'))
  readonly email?: string;

  @ApiPropertyOptional({ example: '+55 11 91234-5678', minLength: 8, maxLength: 25 })
  @Optional()
  @IsString(contact('deve ser um telefone, com DDD'))
  @Matches(PHONE, contact('deve ser um telefone, com DDD'))
  readonly phone?: string;

  @ApiPropertyOptional({ description: 'Quem voa não quis informar contato.', example: false })
  @Optional()
  @IsBoolean(contact('deve ser verdadeiro ou falso'))
  readonly declined?: boolean;
}

const WHO = {
  minItems: 1,
  maxItems: 9,
  description: 'Quem voa, um por passageiro. Só o agente que informa e o viajante veem.',
};
const REACHED = { description: 'Como avisar quem voa. Só o agente que informa e o viajante veem.' };

/** The members of a view that show who flies and how to reach them; absent where nobody was named, and for another agent. */
export const ShowsTravellers = () => ApiPropertyOptional({ type: [TravellerDto], ...WHO });
export const ShowsContact = () => ApiPropertyOptional({ type: ContactDto, ...REACHED });

/** A member that may name who flies: as many as `passengers`, in the order of the tickets. */
export const NamesTravellers = () =>
  applyDecorators(
    ShowsTravellers(),
    Optional(),
    IsArray(LIST),
    ArrayMinSize(1, LIST),
    ArrayMaxSize(9, LIST),
    IsObject({ each: true, ...LIST }),
    ListOf(TravellerDto),
    ValidateNested({ each: true, ...LIST }),
  );

export const NamesContact = () =>
  applyDecorators(
    ShowsContact(),
    Optional(),
    IsObject(contact('deve ser um objeto')),
    ValidateNested(contact('deve ser um objeto')),
  );
