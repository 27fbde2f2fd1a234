import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BAGGAGE, type Fare, fareFor, partsOf } from '#events';
import { ConditionsView, MoneyView, PricePartsView } from '#http';
import { type Currency, money } from '#kernel';
import { conditionsView } from '#site';
import { arrivalAndBaggage } from './flight.view.js';

/** Why a fare falls short of "within the budget, there the same day, with a checked bag", in this order. */
export const SHORTCOMINGS = ['over_budget', 'arrives_next_day', 'no_checked_bag'] as const;

/** One fare priced for the whole party (docs/decisions.md, Fare option). */
@ApiSchema({ name: 'FareOption' })
export class FareOptionView {
  @ApiProperty({ description: 'O `fareCode` das reservas.', example: 'CLASSICA' })
  readonly fareCode: string;

  @ApiProperty({ example: 'Clássica' })
  readonly fareName: string;

  @ApiProperty({
    enum: BAGGAGE,
    description: 'Bagagem incluída: nenhuma; despachada; despachada e assento.',
    example: 'checked',
  })
  readonly baggage: Fare['baggage'];

  @ApiProperty({ description: 'Inclui bagagem despachada.', example: true })
  readonly hasCheckedBag: boolean;

  @ApiProperty({ description: 'Chega no dia da partida.', example: true })
  readonly arrivesSameDay: boolean;

  @ApiProperty({ description: 'Hora local de chegada, HH:mm.', example: '18:45' })
  readonly arrivalTime: string;

  @ApiProperty({ type: 'integer', description: 'Dias depois do dia da partida.', example: 0 })
  readonly arrivalDayOffset: number;

  @ApiProperty({ type: MoneyView, description: 'Preço por passageiro.' })
  readonly unitPrice: MoneyView;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 9, example: 1 })
  readonly passengers: number;

  @ApiProperty({ type: MoneyView, description: 'Preço para todos os passageiros.' })
  readonly total: MoneyView;

  @ApiProperty({ type: PricePartsView, description: 'De que o total é feito: tarifa mais taxas.' })
  readonly line: PricePartsView;

  @ApiProperty({ type: ConditionsView, description: 'O que volta, se a viagem for cancelada.' })
  readonly conditions: ConditionsView;

  @ApiProperty({ description: 'O total cabe no orçamento.', example: true })
  readonly fitsBudget: boolean;

  @ApiProperty({ type: MoneyView, description: 'Orçamento menos total; negativo quando o total passa do orçamento.' })
  readonly budgetDelta: MoneyView;

  @ApiProperty({ enum: SHORTCOMINGS, isArray: true, description: 'O que falta à tarifa; vazio: nada.', example: [] })
  readonly reasons: readonly (typeof SHORTCOMINGS)[number][];
}

@ApiSchema({ name: 'FareQuote' })
export class FareQuoteView {
  @ApiProperty({ type: MoneyView, description: 'O orçamento informado, na moeda do voo.' })
  readonly budget: MoneyView;

  @ApiProperty({ type: [FareOptionView], description: 'Todas as tarifas, por total e depois código.' })
  readonly options: readonly FareOptionView[];

  @ApiProperty({
    type: () => FareOptionView,
    nullable: true,
    description:
      'A mais barata que chega no mesmo dia com bagagem despachada, caiba ou não no orçamento; null: nenhuma.',
  })
  readonly bestByConstraints: FareOptionView | null;
}

const byTotalThenCode = (one: FareOptionView, other: FareOptionView): number =>
  one.total.amount - other.total.amount || (one.fareCode < other.fareCode ? -1 : 1);

/** Prices all fares for a party, and picks the cheapest same-day one with a checked bag. `budget`: cents, for the party. */
export const quoteFares = (
  { fares, currency }: { readonly fares: readonly Fare[]; readonly currency: Currency },
  budget: number,
  passengers: number,
): FareQuoteView => {
  const optionOf = (fare: Fare): FareOptionView => {
    const { total, taxes } = fareFor(fare, passengers, currency);
    const fitsBudget = total.amount <= budget;
    const { arrivesSameDay, hasCheckedBag } = arrivalAndBaggage(fare);
    const falls = { over_budget: !fitsBudget, arrives_next_day: !arrivesSameDay, no_checked_bag: !hasCheckedBag };
    return {
      fareCode: fare.code,
      fareName: fare.name,
      baggage: fare.baggage,
      hasCheckedBag,
      arrivesSameDay,
      arrivalTime: fare.arrivalTime,
      arrivalDayOffset: fare.arrivalDayOffset,
      unitPrice: money(fare.price, currency),
      passengers,
      total,
      line: partsOf(total, taxes),
      conditions: conditionsView(fare.conditions),
      fitsBudget,
      budgetDelta: money(budget - total.amount, currency),
      reasons: SHORTCOMINGS.filter((reason) => falls[reason]),
    };
  };
  const options = fares.map(optionOf).sort(byTotalThenCode);
  const best = options.find(({ arrivesSameDay, hasCheckedBag }) => arrivesSameDay && hasCheckedBag);
  return { budget: money(budget, currency), options, bestByConstraints: best ?? null };
};
