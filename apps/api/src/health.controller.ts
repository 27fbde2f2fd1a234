import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags, ApiSchema } from '@nestjs/swagger';
import { API } from '#http';
import { Clock } from '#kernel';

/** Answer of the availability check (interface.md, endpoint 1). */
@ApiSchema({ name: 'Health' })
export class HealthView {
  @ApiProperty({ example: 'ok' })
  readonly status: string;

  @ApiProperty({ format: 'date-time' })
  readonly time: string;
}

@ApiTags('health')
@Controller(`${API}/health`)
export class HealthController {
  constructor(private readonly clock: Clock) {}

  @Get()
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'getHealth', summary: 'Verifica a disponibilidade' })
  @ApiOkResponse({ type: HealthView })
  get(): HealthView {
    return { status: 'ok', time: this.clock.now() };
  }
}
