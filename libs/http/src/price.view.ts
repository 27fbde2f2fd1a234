import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { CURRENCIES, type Currency, type Money } from '#kernel';

/** Money as the interface shows it: integer cents with a currency. */
@ApiSchema({ name: 'Money' })
export class MoneyView implements Money {
  @ApiProperty({ type: 'integer', description: 'Valor em centavos.', example: 89900 })
  readonly amount: number;

  @ApiProperty({ enum: CURRENCIES, example: 'BRL' })
  readonly currency: Currency;
}

/** What a total is made of: `base` + `taxes`. */
@ApiSchema({ name: 'PriceParts' })
export class PricePartsView {
  @ApiProperty({ type: MoneyView, description: 'A tarifa, sem as taxas.' })
  readonly base: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'As taxas de embarque.' })
  readonly taxes: MoneyView;
}

/** What a cancellation keeps: `percent` alone, or `amount` with `currency`. */
@ApiSchema({ name: 'CancellationFee' })
export class CancellationFeeView {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Parte da tarifa, sem as taxas, por cento.',
    example: 20,
  })
  readonly percent?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Ou um valor por passageiro, em centavos, nunca acima da tarifa.',
  })
  readonly amount?: number;

  @ApiPropertyOptional({ enum: CURRENCIES, description: 'A moeda desse valor.' })
  readonly currency?: Currency;
}

@ApiSchema({ name: 'CancellationRow' })
export class CancellationRowView {
  @ApiProperty({
    description: 'Até quanto tempo antes da partida a linha vale: uma duração ISO 8601 em dias, horas e minutos.',
    example: 'PT24H',
  })
  readonly until: string;

  @ApiProperty({ type: CancellationFeeView, description: 'O que não é devolvido.' })
  readonly fee: Readonly<{ percent: number }> | Money;
}

/** What comes back where an order of the fare is cancelled (docs/decisions.md, Conditions). */
@ApiSchema({ name: 'Conditions' })
export class ConditionsView {
  @ApiProperty({
    type: [CancellationRowView],
    description: 'Conta a primeira linha que ainda vale; se nenhuma vale, a tarifa não é devolvida.',
  })
  readonly cancellation: readonly CancellationRowView[];

  @ApiProperty({ description: 'As taxas são devolvidas.', example: true })
  readonly taxesRefundable: boolean;

  @ApiProperty({
    description: 'Comprando 7 dias ou mais antes da partida, desistir em até 24 horas devolve tudo.',
    example: true,
  })
  readonly withdrawal: boolean;

  @ApiProperty({
    description: 'O mesmo em palavras, para mostrar ao viajante antes da compra.',
    example: 'Cancelar custa 20% da tarifa até 24 horas antes da partida; depois, a tarifa não é devolvida.',
  })
  readonly description: string;
}
