/** An event of a file as far as it can be read, which nobody has checked. */
export interface UncheckedEvent {
  readonly stream?: unknown;
  readonly type?: unknown;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Whether an event is the payment that a ticket was issued for. */
const paysFor = (ticket: string, { type, data }: UncheckedEvent): boolean =>
  type === 'OrderPaid' && [data?.['ticketCode']].concat(data?.['ticketCodes']).includes(ticket);

/**
 * What a file says of a ticket. `isProof`: it has one payment alone. `timeText`: an instant for people.
 * It runs in browsers, so it imports nothing.
 */
export const ticketText = (
  ticket: string,
  events: readonly UncheckedEvent[],
  isProof: boolean,
  timeText: (instant: string) => string,
): string => {
  const paid = events.find((event) => paysFor(ticket, event));
  if (!paid) return 'Não é deste arquivo';
  if (isProof) return 'Pago. Esta prova é só do pagamento: se o pedido foi cancelado depois, ela não diz';
  const when = (of: string): string | null => {
    const event = events.find(({ stream, type }) => stream === paid.stream && type === of);
    return event ? timeText(String(event.metadata?.['occurredAt'])) : null;
  };
  const [begun, cancelled] = [when('OrderCancellationStarted'), when('OrderCancelled')];
  if (cancelled !== null) return `Pago e depois cancelado, em ${cancelled}: não vale mais`;
  return begun !== null && when('OrderRefundFailed') === null
    ? `Pago; o cancelamento começou em ${begun}, e este arquivo não diz como acabou`
    : 'Pago neste arquivo, que não traz cancelamento';
};
