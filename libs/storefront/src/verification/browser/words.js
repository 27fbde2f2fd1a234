/** What the report says in Portuguese. The core speaks in codes; docs/audit-format.md lists them. */

export const PROVEN = {
  signed: 'O ponto de controle foi assinado pela chave que você informou.',
  witnessed: 'As testemunhas que a sua política exige viram esse ponto de controle.',
  logged: 'Cada evento está no registro, exatamente como está no arquivo: nenhum foi alterado nem inserido depois.',
  chained:
    'Cada evento está encadeado ao anterior: do primeiro que o arquivo traz ao último, não falta nenhum no meio.',
  rules:
    'As regras foram cumpridas: nenhum mandato trazido desde o início passou do teto, nem foi cobrado fora de vigor.',
  whole: 'Não falta nenhum evento até o ponto de controle.',
};

export const UNPROVEN = {
  unwitnessed: 'Que todos veem o mesmo registro: nenhuma testemunha independente foi conferida aqui.',
  unscanned:
    'Que não falta nada no fim: para isso é preciso ler todas as entradas do registro (alcada audit verify --bundle … --log …).',
  partial: 'O que veio antes: alguns históricos não começam no primeiro evento.',
  pseudonyms: 'Que cada histórico tem um só pseudônimo no registro: é a palavra de quem opera o serviço.',
  selection: 'Que estes são todos os históricos do assunto: é a palavra de quem fez o arquivo.',
  outside: 'O que fica fora do registro: a cobrança no cartão, que só a operadora confirma, e quem é a pessoa.',
};

export const RULES = {
  format: 'O arquivo está incompleto ou não segue o formato.',
  subject: 'O arquivo não traz o começo do que diz trazer.',
  checkpoint: 'O ponto de controle não vale: não foi assinado por esta chave, ou faltam testemunhas.',
  inclusion: 'O evento não está no registro neste lugar.',
  sequence: 'Os eventos não estão na ordem do registro.',
  pseudonym: 'O pseudônimo não corresponde a um só histórico.',
  chain: 'O evento foi alterado, ou não é o que veio depois do anterior.',
  revision: 'Faltam eventos, ou há eventos repetidos.',
  time: 'O horário volta atrás.',
  form: 'O conteúdo do evento não é o que o seu tipo pede.',
  life: 'O evento não cabe neste momento da vida do mandato.',
  terms: 'As condições não são as que foram concedidas.',
  ceiling: 'Passou do teto do mandato.',
  'after-revocation': 'Reserva depois da revogação.',
  'after-expiry': 'Reserva depois do vencimento.',
  'while-pending': 'Reserva antes de o mandato ser concedido.',
  'while-paused': 'Reserva com o mandato pausado.',
  scope: 'O mandato não permite cobranças.',
  currency: 'A moeda não é a do mandato.',
  agent: 'Outro agente usou o mandato.',
  reservation: 'Reserva repetida do mesmo pedido.',
  fence: 'Reserva de um pedido já encerrado, ou fora do prazo.',
  constraint: 'Uma condição do mandato não foi respeitada.',
  consumption: 'Cobrança sem reserva, ou de outro valor.',
  release: 'Liberação que não corresponde ao que estava reservado.',
  refusal: 'O motivo da recusa não confere.',
  narrowing: 'A redução do mandato não confere.',
  cap: 'Passou do limite dado ao agente.',
  authorization: 'O agente não estava autorizado.',
  opening: 'O mandato não foi aberto assim para o agente.',
  closing: 'O encerramento do mandato não confere.',
  checkout: 'O pedido não é o que foi combinado ao começar.',
  amount: 'O valor não é o do pedido.',
  order: 'O andamento do pedido não confere.',
  booking: 'A reserva do voo não confere com o pedido.',
  ticket: 'O bilhete não confere.',
  seats: 'Os assentos não conferem.',
};

export const EVENTS = {
  MandateRequested: 'Pedido de permissão',
  MandateApproved: 'Permissão dada',
  MandateCreated: 'Mandato criado',
  MandateReserved: 'Reserva',
  MandateConsumed: 'Cobrança',
  MandateReleased: 'Liberação',
  MandateChargeRefused: 'Cobrança recusada',
  MandateNarrowed: 'Reduzido',
  MandatePaused: 'Pausado',
  MandateResumed: 'Retomado',
  MandateRevoked: 'Revogado',
  MandateExpired: 'Vencido',
  MandateAbandoned: 'Abandonado',
};

export const STATUSES = {
  requested: 'aguarda permissão',
  valid: 'válido',
  paused: 'pausado',
  exhausted: 'esgotado',
  revoked: 'revogado',
  expired: 'vencido',
  abandoned: 'abandonado',
};

export const SUBJECTS = {
  mandate: 'Mandato',
  order: 'Pedido',
  holder: 'Titular',
  since: 'Tudo desde',
};
