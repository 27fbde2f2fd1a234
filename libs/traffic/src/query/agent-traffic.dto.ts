import { ApiPropertyOptional } from '@nestjs/swagger';
import { answers, Optional } from '#http';
import { type Instant, instantOf } from '#kernel';
import { IsIn, IsISO8601, Matches } from 'class-validator';
import { type Bucket, BUCKETS } from '../figures/buckets.rule.js';
import { FAMILIES, OPERATIONS } from '../figures/names.rule.js';
import { FORMATS, type Format } from './traffic-formats.js';
import type { WindowRequest } from './traffic-window.js';

/** The form of RFC 3339 §5.6. A rule of its own checks the calendar: `Date` takes 30 February for 2 March. */
const INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const anInstant = answers(
  'invalid_query',
  'deve ser um instante RFC 3339, como 2026-01-31T12:00:00Z, informado uma única vez',
);
const oneOf = (names: string) => answers('invalid_query', `deve ser ${names}, informado uma única vez`);

/** Query of `GET /observability/agent-traffic`. */
export class AgentTrafficDto {
  @ApiPropertyOptional({ format: 'date-time', description: 'Começo; sem ele, 24 horas antes de to.' })
  @Optional()
  @Matches(INSTANT, anInstant)
  @IsISO8601({ strict: true }, anInstant)
  readonly from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Fim; sem ele, agora.' })
  @Optional()
  @Matches(INSTANT, anInstant)
  @IsISO8601({ strict: true }, anInstant)
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

/** The window that a query requests. */
export const windowIn = ({ from, to, bucket }: AgentTrafficDto): WindowRequest => ({
  from: asInstant(from),
  to: asInstant(to),
  bucket,
});

/** Beyond these (ms) an offset leads to years without exactly four digits, which sort differently as strings. */
const [FIRST, LAST] = [0, Date.UTC(9999, 11, 31)];

const asInstant = (text: string | undefined): Instant | undefined =>
  text === undefined ? undefined : instantOf(Math.min(Math.max(Date.parse(text), FIRST), LAST));
