import { ApiPropertyOptional } from '@nestjs/swagger';
import { answers, ListQueryDto, Optional } from '#http';
import { IsString, MaxLength } from 'class-validator';

const once = answers('invalid_query', 'deve ser informado uma única vez');

/** Query of `GET /flights`. */
export class SearchFlightsDto extends ListQueryDto {
  @ApiPropertyOptional({
    description: 'Cidade de destino, código de aeroporto ou número de voo; ignora maiúsculas e acentos.',
    maxLength: 100,
    example: 'recife',
  })
  @Optional()
  @MaxLength(100, answers('invalid_query', 'deve ser informado uma única vez, com até 100 caracteres'))
  readonly q?: string;

  @ApiPropertyOptional({ description: 'Aeroporto de origem (IATA).', example: 'GRU' })
  @Optional()
  @IsString(once)
  readonly from?: string;

  @ApiPropertyOptional({ description: 'Aeroporto de destino (IATA).', example: 'REC' })
  @Optional()
  @IsString(once)
  readonly to?: string;
}
