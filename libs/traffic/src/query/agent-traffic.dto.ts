import { ApiPropertyOptional } from '@nestjs/swagger';
import { answers, asInstant, IsInstant, Optional } from '#http';
import { IsIn } from 'class-validator';
import { type Bucket, BUCKETS } from '../figures/buckets.rule.js';
import { FAMILIES, OPERATIONS } from '../figures/names.rule.js';
import { FORMATS, type Format } from './traffic-formats.js';
import type { WindowRequest } from './traffic-window.js';

const oneOf = (names: string) => answers('invalid_query', `deve ser ${names}, informado uma única vez`);

export class AgentTrafficDto {
  @IsInstant('Começo; sem ele, 24 horas antes de to.')
  readonly from?: string;

  @IsInstant('Fim; sem ele, agora.')
  readonly to?: string;

  @ApiPropertyOptional({
    enum: BUCKETS,
    description:
      'Intervalo de cada ponto, em UTC. Minutos são guardados por 48 horas, horas por 90 dias, dias para sempre. Um período vai até 48 horas por minuto, 90 dias por hora ou 366 dias por dia; com operation ou agent, até 6 horas por minuto ou 7 dias por hora. Sem ele, conforme o período.',
  })
  @Optional()
  @IsIn(BUCKETS, oneOf('minute, hour ou day'))
  readonly bucket?: Bucket;

  @ApiPropertyOptional({ enum: OPERATIONS, description: 'Só chamadas desta operação.' })
  @Optional()
  @IsIn(OPERATIONS, oneOf('uma operação conhecida'))
  readonly operation?: string;

  @ApiPropertyOptional({ enum: FAMILIES, description: 'Só chamadas desta família de agentes.' })
  @Optional()
  @IsIn(FAMILIES, oneOf('uma família conhecida'))
  readonly agent?: string;

  @ApiPropertyOptional({ enum: FORMATS, description: 'Formato da resposta; sem ele, o que Accept pedir.' })
  @Optional()
  @IsIn(FORMATS, oneOf('json, csv ou prometheus'))
  readonly format?: Format;
}

export const windowIn = ({ from, to, bucket }: AgentTrafficDto): WindowRequest => ({
  from: asInstant(from),
  to: asInstant(to),
  bucket,
});
