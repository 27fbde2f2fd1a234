import type { Scope } from '#kernel';

/** What a scope lets an agent do, in words a traveller understands; `isMoney` where it can lead to a charge. */
export const SCOPE_WORDS: Readonly<Record<Scope, { readonly text: string; readonly isMoney: boolean }>> = {
  'catalog:read': { text: 'Consultar voos, tarifas, horários e disponibilidade', isMoney: false },
  'booking:write': { text: 'Criar e alterar reservas de voo', isMoney: false },
  'order:write': { text: 'Confirmar reservas e emitir bilhetes', isMoney: true },
  'mandate:create': { text: 'Criar e revogar mandatos de pagamento, com teto de valor e prazo', isMoney: true },
  'payment:execute': { text: 'Cobrar dentro do teto de um mandato válido', isMoney: true },
  'receipt:read': { text: 'Ler seus recibos, itinerários e histórico de bilhetes', isMoney: false },
};
