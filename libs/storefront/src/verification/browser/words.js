/** What the report says in Portuguese. The core speaks in codes; docs/audit-format.md lists them. */

export const PROVEN = {
  signed: 'O ponto de controle foi assinado pela chave que você informou.',
  witnessed: 'As testemunhas que a sua política exige viram esse ponto de controle.',
  logged: 'Cada evento está no registro, exatamente como está no arquivo: nenhum foi alterado nem inserido depois.',
  chained:
    'Cada evento está encadeado ao anterior: do primeiro que o arquivo traz ao último, não falta nenhum no meio.',
  rules:
    'Todos os históricos do arquivo foram conferidos desde o primeiro evento, e nenhum quebra uma regra. O que depende de um histórico que não está aqui não foi conferido.',
  whole: 'Não falta nenhum evento até o ponto de controle.',
};

export const SIGNED_BY_SITE = 'O ponto de controle foi assinado pela chave que este próprio site publica.';

/** What the rules were applied to, by kind: one, several. */
export const APPLIED = {
  mandates: ['mandato', 'mandatos'],
  delegations: ['autorização de agente', 'autorizações de agente'],
  bookings: ['reserva', 'reservas'],
  orders: ['pedido', 'pedidos'],
  flights: ['voo', 'voos'],
  others: ['outro histórico', 'outros históricos'],
};

export const UNPROVEN = {
  unwitnessed: 'Que todos veem o mesmo registro: nenhuma testemunha independente foi conferida aqui.',
  unscanned:
    'Que não falta nada no fim: para isso é preciso ler o próprio registro (alcada audit verify --bundle … --log …).',
  partial: 'O que veio antes: alguns históricos não começam no primeiro evento.',
  keys: 'Que não falta nada no fim dos históricos mais antigos: nenhuma entrada do registro mostrou que as chaves deles são estas.',
  pseudonyms:
    'Que cada histórico tem um só pseudônimo e uma só chave no registro: é a palavra de quem opera o serviço.',
  selection: 'Que estes são todos os históricos do assunto: é a palavra de quem fez o arquivo.',
  outside: 'O que fica fora do registro: a cobrança no cartão, que só a operadora confirma, e quem é a pessoa.',
};

export const EVENTS = {
  MandateRequested: 'Pedido de permissão',
  MandateApproved: 'Permissão dada',
  MandateCreated: 'Mandato criado',
  MandateReserved: 'Valor separado',
  MandateConsumed: 'Cobrança',
  MandateRefunded: 'Devolução',
  MandateReleased: 'Valor liberado',
  MandateChargeRefused: 'Cobrança recusada',
  MandateNarrowed: 'Reduzido',
  MandatePaused: 'Em pausa',
  MandateResumed: 'Retomado',
  MandateRevoked: 'Encerrado',
  MandateExpired: 'Encerrado por prazo',
  MandateAbandoned: 'Abandonado',
};

export const STATUSES = {
  requested: 'aguarda permissão',
  valid: 'em vigor',
  paused: 'em pausa',
  exhausted: 'esgotado',
  revoked: 'encerrado',
  expired: 'encerrado por prazo',
  abandoned: 'abandonado',
};

export const SUBJECTS = {
  mandate: 'Mandato',
  order: 'Pedido',
  holder: 'Titular',
  since: 'Tudo desde',
};
