import type { ErrorCode } from '#kernel';

export interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
}

const entry = (status: number, message: string): CatalogueEntry => ({ status, message });

/** The one catalogue of errors (docs/decisions.md, Errors): code → status → text. */
export const ERROR_CATALOGUE: Readonly<Record<ErrorCode, CatalogueEntry>> = {
  malformed_json: entry(400, 'O corpo da requisição não é um JSON válido.'),
  unknown_tool: entry(400, 'Ferramenta desconhecida.'),
  invalid_arguments: entry(400, 'Os argumentos da ferramenta são inválidos.'),
  invalid_idempotency_key: entry(400, 'O cabeçalho Idempotency-Key é inválido.'),

  token_missing: entry(401, 'É preciso enviar um token de acesso.'),
  invalid_token: entry(401, 'O token de acesso é inválido, expirou ou foi revogado.'),

  payment_declined: entry(402, 'O pagamento foi recusado pelo emissor do cartão.'),
  payment_insufficient_funds: entry(402, 'O pagamento foi recusado: saldo ou limite do cartão insuficiente.'),
  payment_card_expired: entry(402, 'O cartão está vencido.'),
  payment_card_invalid: entry(402, 'Os dados do cartão são inválidos.'),
  payment_challenge_required: entry(402, 'O pagamento aguarda a confirmação do viajante.'),
  payment_challenge_failed: entry(402, 'O viajante não confirmou o pagamento.'),
  payment_not_completed: entry(402, 'O viajante aprovou o pagamento, mas o agente não concluiu a compra a tempo.'),

  insufficient_scope: entry(403, 'O token não tem o escopo necessário para esta operação.'),
  mandate_forbidden: entry(403, 'Este mandato pertence a outro titular.'),
  origin_forbidden: entry(403, 'Páginas desta origem não podem chamar este endereço.'),
  invalid_signature: entry(403, 'A assinatura HTTP desta requisição não confere.'),

  flight_not_found: entry(404, 'Voo não encontrado.'),
  booking_not_found: entry(404, 'Reserva não encontrada.'),
  mandate_not_found: entry(404, 'Mandato não encontrado.'),
  order_not_found: entry(404, 'Pedido não encontrado.'),
  ticket_not_found: entry(404, 'Bilhete não encontrado.'),
  webhook_not_found: entry(404, 'Webhook, ou entrega dele, não encontrado.'),
  route_not_found: entry(404, 'Endereço não encontrado.'),
  method_not_allowed: entry(405, 'Este endereço não aceita esse método.'),

  request_timeout: entry(408, 'A requisição não chegou inteira a tempo.'),
  mandate_revoked: entry(409, 'O mandato foi revogado; nada foi cobrado.'),
  mandate_expired: entry(409, 'O mandato expirou; nada foi cobrado.'),
  mandate_paused: entry(409, 'O mandato está em pausa; nada foi cobrado.'),
  agents_paused: entry(409, 'O viajante pausou todos os agentes; nada foi aberto nem cobrado.'),
  mandate_pending: entry(409, 'O mandato ainda espera a decisão do viajante; nada foi cobrado.'),
  booking_already_ordered: entry(409, 'Esta reserva já tem um bilhete emitido.'),
  order_in_progress: entry(409, 'Já há um pedido em andamento para esta reserva.'),
  offer_expired: entry(409, 'O total da reserva não é mais prometido, e o preço ou as condições de agora são piores.'),
  order_not_cancellable: entry(409, 'Este pedido não pode ser cancelado.'),
  cancellation_expired: entry(409, 'A cotação do cancelamento venceu; nada foi cancelado.'),
  idempotency_in_flight: entry(409, 'Uma requisição com a mesma Idempotency-Key ainda está em andamento.'),

  cursor_too_old: entry(410, 'O cursor é antigo demais: o que veio logo depois dele já foi apagado.'),

  payload_too_large: entry(413, 'O corpo da requisição passa de 64 KiB, de 1000 membros ou de 32 níveis.'),
  unsupported_media_type: entry(415, 'O corpo da requisição deve ser application/json.'),

  invalid_body: entry(422, 'O corpo da requisição é inválido.'),
  unknown_member: entry(422, 'A requisição tem membros ou parâmetros desconhecidos.'),
  invalid_flight: entry(422, 'O voo informado é inválido.'),
  invalid_fare: entry(422, 'A tarifa informada não existe nesse voo.'),
  invalid_passengers: entry(422, 'O número de passageiros deve ser um inteiro de 1 a 9.'),
  invalid_travellers: entry(422, 'Os dados de quem vai voar são inválidos.'),
  invalid_change: entry(422, 'A alteração da reserva é inválida.'),
  invalid_limit: entry(422, 'O teto do mandato deve ser um inteiro de 1 a 1000000000000 centavos.'),
  invalid_currency: entry(422, 'A moeda deve ser BRL, USD ou EUR.'),
  invalid_validity: entry(422, 'A validade do mandato deve ser um inteiro de 1 a 10080 minutos.'),
  invalid_mandate_scope: entry(422, 'O escopo do mandato é inválido.'),
  invalid_constraints: entry(422, 'As condições do mandato são inválidas.'),
  invalid_metadata: entry(422, 'Os metadados são inválidos.'),
  invalid_booking: entry(422, 'A reserva informada é inválida.'),
  invalid_mandate: entry(422, 'O mandato informado é inválido.'),
  invalid_payment: entry(422, 'Os dados de pagamento estão incompletos ou são inválidos.'),
  invalid_budget: entry(422, 'O orçamento deve ser um inteiro em centavos, informado uma única vez.'),
  invalid_query: entry(422, 'Os parâmetros da consulta são inválidos.'),
  invalid_cursor: entry(422, 'O cursor de paginação é inválido.'),
  invalid_window: entry(422, 'O intervalo de tempo pedido é inválido.'),
  invalid_webhook: entry(422, 'O webhook é inválido ou não respondeu à verificação.'),
  booking_empty: entry(422, 'A reserva está vazia: escolha o voo e a tarifa antes de pedir o bilhete.'),
  booking_locked: entry(422, 'A reserva tem um pedido em andamento ou um bilhete e não pode mais mudar.'),
  seats_unavailable: entry(422, 'Não há assentos suficientes neste voo.'),
  flight_departed: entry(422, 'A venda deste voo já terminou.'),
  flight_cancelled: entry(422, 'Este voo foi cancelado.'),
  total_changed: entry(422, 'O total da reserva não é o esperado.'),
  mandate_required: entry(422, 'É preciso um mandato válido para esta compra.'),
  mandate_ambiguous: entry(422, 'Há mais de um mandato possível: informe qual usar.'),
  mandate_limit_exceeded: entry(422, 'O valor ultrapassa o teto do mandato; nada foi cobrado.'),
  mandate_scope_insufficient: entry(422, 'O escopo do mandato não permite esta cobrança.'),
  mandate_constraint_violated: entry(422, 'O mandato não permite esta compra; nada foi cobrado.'),
  mandate_client_mismatch: entry(422, 'O mandato foi concedido a outro agente.'),
  currency_mismatch: entry(422, 'A moeda do mandato não é a da compra.'),
  mandate_cap_exceeded: entry(422, 'O mandato ultrapassa o limite total que o viajante deu a este agente.'),
  mandate_redeemed: entry(422, 'Este mandato AP2 já foi usado em um pedido; cada um vale uma vez.'),
  idempotency_conflict: entry(422, 'Esta Idempotency-Key já foi usada com outro corpo.'),

  rate_limited: entry(429, 'Requisições demais; tente de novo em instantes.'),

  internal_error: entry(500, 'Erro interno. Se persistir, informe o requestId ao suporte.'),
  service_unavailable: entry(503, 'O serviço está temporariamente indisponível; tente de novo em instantes.'),
};
