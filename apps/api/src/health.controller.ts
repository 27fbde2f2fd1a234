import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiSchema, ApiTags } from '@nestjs/swagger';
import { API, Public } from '#http';
import { Clock } from '#kernel';
import { VERSION } from '#runtime';
import { Readiness } from './readiness.js';

/** Answer of the availability check (docs/interface.md, endpoint 1). */
@ApiSchema({ name: 'Health' })
export class HealthView {
  @ApiProperty({ example: 'ok' })
  readonly status: string;

  @ApiProperty({ format: 'date-time' })
  readonly time: string;
}

@ApiSchema({ name: 'ReadModelLag' })
export class ReadModelLagView {
  @ApiProperty({ example: 'orders' })
  readonly name: string;

  @ApiProperty({ description: 'Segundos desde o evento mais antigo que ainda falta nela; 0: nenhum.' })
  readonly lagSeconds: number;

  @ApiPropertyOptional({ description: 'Presente se ela parou em um evento que este programa não consegue ler.' })
  readonly stopped?: true;
}

@ApiSchema({ name: 'Readiness' })
export class ReadinessView {
  @ApiProperty({ example: 'ready' })
  readonly status: string;

  @ApiProperty({ format: 'date-time' })
  readonly time: string;

  @ApiProperty({ description: 'Versão do programa.', example: '1.0.0' })
  readonly version: string;

  @ApiProperty({ format: 'date-time', description: 'Desde quando este processo atende.' })
  readonly startedAt: string;

  @ApiProperty({ type: [ReadModelLagView] })
  readonly readModels: readonly ReadModelLagView[];
}

@ApiTags('health')
@Public()
@Controller(`${API}/health`)
export class HealthController {
  private readonly startedAt: string;

  constructor(
    private readonly clock: Clock,
    private readonly readiness: Readiness,
  ) {
    this.startedAt = clock.now();
  }

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'getHealth', summary: 'Verifica a disponibilidade' })
  @ApiOkResponse({ type: HealthView })
  get(): HealthView {
    return { status: 'ok', time: this.clock.now() };
  }

  @Get('ready')
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'getReadiness', summary: 'Diz se este processo pode atender, ou o que falta para isso' })
  @ApiOkResponse({ type: ReadinessView })
  async ready(): Promise<ReadinessView> {
    const { lag, stopped } = await this.readiness.check();
    const readModels = [...lag].map(([name, { seconds }]) => ({
      name,
      lagSeconds: seconds,
      ...(stopped.has(name) && { stopped: true as const }),
    }));
    return { status: 'ready', time: this.clock.now(), version: VERSION, startedAt: this.startedAt, readModels };
  }
}
