import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { MoneyView } from '#http';
import { MandateView } from './mandate.view.js';

/** What the traveller lets this agent spend in all, and how much of it is used (docs/decisions.md, Mandate). */
@ApiSchema({ name: 'Cap' })
export class CapView {
  @ApiProperty({ type: MoneyView, description: 'Limite total que o viajante deu a este agente.' })
  readonly limit: MoneyView;

  @ApiProperty({
    type: MoneyView,
    description: 'Tetos dos mandatos abertos e o que os já encerrados gastaram desde o primeiro limite.',
  })
  readonly used: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'Quanto ainda cabe em novos mandatos.' })
  readonly available: MoneyView;
}

/** One page of the holder's mandates, with the calling agent's cap. */
@ApiSchema({ name: 'MandateList' })
export class MandateListView {
  @ApiProperty({ type: 'integer', description: 'Total de itens que correspondem.' })
  readonly count: number;

  @ApiProperty({ type: [MandateView] })
  readonly items: readonly MandateView[];

  @ApiProperty({ type: String, nullable: true, description: 'Cursor da próxima página; null na última.' })
  readonly nextCursor: string | null;

  @ApiProperty({ type: CapView, nullable: true, description: 'Limite do agente que pergunta; null: não há.' })
  readonly cap: CapView | null;
}
