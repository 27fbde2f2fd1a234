import type { ErrorCode } from '#kernel';

type Text = 'means' | 'why' | 'doNow';

/** What the pages about errors say: in Portuguese, and in English beside it. */
export const ERROR_GUIDE: Readonly<Record<ErrorCode, Readonly<Record<Text | `${Text}En`, string>>>> = {
  malformed_json: {
    means: 'A requisição não pôde ser lida: o corpo não é JSON, ou a mensagem HTTP está incompleta.',
    meansEn: 'The request could not be read: its body is not JSON, or the HTTP message is incomplete.',
    why: 'Uma vírgula a mais, aspas simples, um corpo cortado, mais de 32 níveis de objetos dentro de objetos, ou uma requisição HTTP/1.1 sem `Host`.',
    whyEn:
      'A trailing comma, single quotes, a body that was cut off, objects nested more than 32 levels deep, or an HTTP/1.1 request without `Host`.',
    doNow:
      'Gere o corpo com o serializador de JSON da sua linguagem, em UTF-8, e envie a requisição de novo. A mesma requisição, sem mudanças, falha outra vez.',
    doNowEn:
      'Make the body with the JSON serializer of your language, in UTF-8, and send the request again. The same request unchanged will fail again.',
  },
  unknown_tool: {
    means: 'Não existe ferramenta com o nome enviado em `tool`.',
    meansEn: 'There is no tool with the name sent in `tool`.',
    why: 'O nome foi escrito de outro jeito, ou é de uma ferramenta que este serviço não tem.',
    whyEn: 'The name is spelled differently, or belongs to a tool that this service does not have.',
    doNow: 'Leia os nomes no manifesto, em `/.well-known/webmcp.json`, e use um deles exatamente como está.',
    doNowEn: 'Read the names in the manifest at `/.well-known/webmcp.json` and use one exactly as it is there.',
  },
  invalid_arguments: {
    means: 'Os argumentos da ferramenta não têm a forma que ela pede.',
    meansEn: 'The arguments of the tool do not have the form that it asks for.',
    why: 'Falta um argumento obrigatório, um tem outro tipo, ou `arguments` não é um objeto. `details` lista cada campo e o que há de errado nele.',
    whyEn:
      'A required argument is missing, one has another type, or `arguments` is not an object. `details` lists each field and what is wrong with it.',
    doNow: 'Compare os argumentos com o `inputSchema` da ferramenta no manifesto, corrija e chame de novo.',
    doNowEn: 'Compare the arguments with the `inputSchema` of the tool in the manifest, correct them and call again.',
  },
  invalid_idempotency_key: {
    means: 'O cabeçalho `Idempotency-Key` não tem uma forma aceita.',
    meansEn: 'The `Idempotency-Key` header does not have an accepted form.',
    why: 'Está vazio, passa de 255 caracteres, tem espaço ou acento, ou foi enviado duas vezes.',
    whyEn: 'It is empty, longer than 255 characters, has a space or an accent, or was sent twice.',
    doNow:
      'Use um UUID novo para cada compra, reserva ou mandato, e o mesmo UUID quando repetir a mesma requisição. Nada foi criado.',
    doNowEn:
      'Use a new UUID for each purchase, booking or mandate, and the same UUID when you repeat the same request. Nothing was created.',
  },
  token_missing: {
    means: 'Esta operação precisa de um token de acesso, e a requisição veio sem nenhum.',
    meansEn: 'This operation needs an access token, and the request came without one.',
    why: 'Falta o cabeçalho `Authorization: Bearer …` (ou `Authorization: DPoP …`).',
    whyEn: 'The header `Authorization: Bearer …` (or `Authorization: DPoP …`) is missing.',
    doNow:
      'Obtenha um token pelo OAuth 2.1, com a autorização do viajante. O cabeçalho `WWW-Authenticate` desta resposta diz onde está o servidor de autorização.',
    doNowEn:
      'Get a token by OAuth 2.1, with the authorization of the traveller. The `WWW-Authenticate` header of this answer says where the authorization server is.',
  },
  invalid_token: {
    means: 'O token de acesso não vale aqui.',
    meansEn: 'The access token is not good here.',
    why: 'Ele expirou (vive uma hora), foi revogado pelo viajante, está incompleto, foi emitido para outro recurso, ou a prova DPoP que o acompanha não confere; neste caso, `details` diz por quê.',
    whyEn:
      'It has expired (it lives for one hour), was revoked by the traveller, is incomplete, was issued for another resource, or the DPoP proof beside it is wrong; in that case `details` says why.',
    doNow:
      'Troque o refresh token por um novo token de acesso. Se isso também for recusado, o viajante retirou a autorização: só ele pode dá-la de novo.',
    doNowEn:
      'Exchange the refresh token for a new access token. If that is refused as well, the traveller has withdrawn the authorization, and only they can give it again.',
  },
  payment_declined: {
    means: 'O emissor do cartão recusou o pagamento. Nada foi cobrado.',
    meansEn: 'The issuer of the card declined the payment. Nothing was charged.',
    why: 'A decisão é do emissor. No processador de testes, o cartão 4000 0000 0000 0002 é sempre recusado.',
    whyEn: 'The issuer decides. In the test processor the card 4000 0000 0000 0002 is always declined.',
    doNow:
      'Não repita com o mesmo cartão: peça outro ao viajante e faça um novo pedido para a mesma reserva. Dez recusas em dez minutos fecham a porta por um tempo.',
    doNowEn:
      'Do not repeat it with the same card: ask the traveller for another one and place a new order for the same booking. Ten refusals within ten minutes close the door for a while.',
  },
  payment_insufficient_funds: {
    means: 'O cartão não tem saldo ou limite para o total. Nada foi cobrado.',
    meansEn: 'The card does not have enough funds or credit for the total. Nothing was charged.',
    why: 'O emissor disse que o valor não cabe. No processador de testes, é o que o cartão 4000 0000 0000 9995 responde.',
    whyEn:
      'The issuer said that the amount does not fit. In the test processor this is what the card 4000 0000 0000 9995 answers.',
    doNow: 'Ofereça ao viajante uma tarifa mais barata, ou peça outro cartão, e faça um novo pedido.',
    doNowEn: 'Offer the traveller a cheaper fare, or ask for another card, and place a new order.',
  },
  payment_card_expired: {
    means: 'O cartão está vencido. Nenhum pedido foi aberto.',
    meansEn: 'The card has expired. No order was opened.',
    why: 'A validade enviada em `payment.expiry` já passou. Um cartão vale até o fim do mês.',
    whyEn: 'The date sent in `payment.expiry` is over. A card is good until the end of its month.',
    doNow: 'Confira a validade com o viajante; se estiver certa, peça outro cartão.',
    doNowEn: 'Check the date with the traveller; if it is right, ask for another card.',
  },
  payment_card_invalid: {
    means: 'Os dados do cartão não podem estar certos. Nenhum pedido foi aberto.',
    meansEn: 'The card data cannot be right. No order was opened.',
    why: 'O número não passa no dígito verificador, não tem de 12 a 19 dígitos, a validade não é MM/AA, MM/AAAA ou AAAA-MM, ou o CVC não tem 3 ou 4 dígitos.',
    whyEn:
      'The number fails its check digit or does not have 12 to 19 digits, the expiry is not MM/YY, MM/YYYY or YYYY-MM, or the CVC does not have 3 or 4 digits.',
    doNow: 'Confira cada dado com o viajante e envie de novo. Não tente adivinhar dígitos: as recusas são contadas.',
    doNowEn: 'Check each value with the traveller and send it again. Do not guess digits: refusals are counted.',
  },
  payment_challenge_required: {
    means: 'O pagamento espera que o próprio viajante confirme. O pedido está aberto e nada foi cobrado ainda.',
    meansEn: 'The payment waits for the traveller to confirm it. The order is open, and nothing has been charged yet.',
    why: 'O emissor pediu uma confirmação que nenhum agente pode dar.',
    whyEn: 'The issuer asked for a confirmation that no agent can give.',
    doNow:
      'Mostre `challenge.url` ao viajante. Depois repita a mesma requisição a cada `challenge.pollAfterSeconds` segundos, até `challenge.expiresAt`: ela termina o mesmo pedido.',
    doNowEn:
      'Show `challenge.url` to the traveller. Then repeat the same request every `challenge.pollAfterSeconds` seconds until `challenge.expiresAt`: it completes the same order.',
  },
  payment_challenge_failed: {
    means: 'O viajante não confirmou o pagamento. O pedido terminou e nada foi cobrado.',
    meansEn: 'The traveller did not confirm the payment. The order is over, and nothing was charged.',
    why: 'Ele recusou, ou os dez minutos para decidir passaram.',
    whyEn: 'They refused, or the ten minutes to decide have passed.',
    doNow:
      'Pergunte ao viajante se ele ainda quer a viagem. Por dez minutos, o mesmo cartão com a mesma reserva tem esta mesma resposta; outro cartão abre um novo pedido.',
    doNowEn:
      'Ask the traveller whether they still want the trip. For ten minutes the same card with the same booking gets this same answer; another card starts a new order.',
  },
  payment_not_completed: {
    means: 'O viajante aprovou o pagamento, e o prazo acabou antes que o agente concluísse a compra. Nada foi cobrado.',
    meansEn:
      'The traveller approved the payment, and its time was over before the agent completed the purchase. Nothing was charged.',
    why: 'Depois da aprovação, a mesma requisição não foi enviada de novo até `challenge.expiresAt`.',
    whyEn: 'After the approval the same request was not sent again until `challenge.expiresAt`.',
    doNow:
      'Conte ao viajante que a compra não foi feita e pergunte se ele ainda a quer. Por dez minutos, o mesmo cartão com a mesma reserva tem esta mesma resposta; depois, ou com outro cartão, a mesma requisição abre um novo pedido, que ele aprova de novo.',
    doNowEn:
      'Tell the traveller that the purchase was not made, and ask whether they still want it. For ten minutes the same card with the same booking gets this same answer; after that, or with another card, the same request opens a new order, which they approve again.',
  },
  insufficient_scope: {
    means: 'O token vale, mas não permite esta operação.',
    meansEn: 'The token is good, but it does not allow this operation.',
    why: 'O viajante autorizou o agente sem um dos escopos que a operação pede. O cabeçalho `WWW-Authenticate` lista todos.',
    whyEn:
      'The traveller authorized the agent without one of the scopes that the operation needs. The `WWW-Authenticate` header lists all of them.',
    doNow: 'Peça uma nova autorização ao viajante com os escopos que faltam, além dos que você já tem.',
    doNowEn: 'Ask the traveller for a new authorization with the missing scopes, beside those you have already.',
  },
  mandate_forbidden: {
    means: 'Este mandato é de outro viajante.',
    meansEn: 'This mandate belongs to another traveller.',
    why: 'O id foi guardado ou copiado de outra conta, ou o token é de outro viajante.',
    whyEn: 'The id was kept or copied from another account, or the token is another traveller’s.',
    doNow: 'Use os mandatos que `GET /mandates` lista para este token.',
    doNowEn: 'Use the mandates that `GET /mandates` lists for this token.',
  },
  origin_forbidden: {
    means: 'Uma página de outro site chamou `/mcp`, e este endereço não aceita páginas desconhecidas.',
    meansEn: 'A page of another site called `/mcp`, which takes no calls from unknown pages.',
    why: 'O navegador enviou um `Origin` que não é o deste site nem um dos que o operador permitiu.',
    whyEn: 'The browser sent an `Origin` that is neither that of this site nor one that the operator allowed.',
    doNow:
      'Chame `/mcp` de um programa, que não envia `Origin`, ou peça ao operador que inclua a sua origem em `MCP_ALLOWED_ORIGINS`.',
    doNowEn:
      'Call `/mcp` from a program, which sends no `Origin`, or ask the operator to add your origin to `MCP_ALLOWED_ORIGINS`.',
  },
  invalid_signature: {
    means: 'A requisição veio assinada, e a assinatura não confere. Nada foi feito.',
    meansEn: 'The request was signed, and the signature is wrong. Nothing was done.',
    why: 'A chave publicada não é a que assinou, a assinatura venceu, ou algo mudou no caminho. `details.reason` diz qual foi o caso.',
    whyEn:
      'The published key is not the one that signed, the signature has expired, or something changed on the way. `details.reason` says which.',
    doNow:
      'Assine cada requisição de novo, com o relógio certo e a chave que o seu diretório publica. Sem assinatura, a requisição também é aceita.',
    doNowEn:
      'Sign each request anew, with a right clock and the key that your directory publishes. The request is accepted without a signature, too.',
  },
  flight_not_found: {
    means: 'Não há voo com este número.',
    meansEn: 'There is no flight with this number.',
    why: 'O número foi escrito errado, ou o voo nunca esteve à venda. Maiúsculas, espaços e hífens não contam.',
    whyEn: 'The number is misspelled, or the flight was never on sale. Case, spaces and hyphens do not count.',
    doNow: 'Busque o voo em `GET /flights` e use o `flightNumber` que vem na resposta.',
    doNowEn: 'Search for the flight with `GET /flights` and use the `flightNumber` of the answer.',
  },
  booking_not_found: {
    means: 'Não há reserva com este id para este viajante.',
    meansEn: 'This traveller has no booking with this id.',
    why: 'O id está errado, ou a reserva é de outra pessoa: as duas coisas têm a mesma resposta.',
    whyEn: 'The id is wrong, or the booking is somebody else’s: both have the same answer.',
    doNow: 'Procure a reserva em `GET /bookings`, ou crie outra.',
    doNowEn: 'Look for the booking in `GET /bookings`, or create another one.',
  },
  mandate_not_found: {
    means: 'Não há mandato com este id.',
    meansEn: 'There is no mandate with this id.',
    why: 'O id está errado ou incompleto, ou o mandato nunca chegou a ser criado.',
    whyEn: 'The id is wrong or incomplete, or the mandate was never created.',
    doNow: 'Procure o mandato em `GET /mandates`, ou crie outro.',
    doNowEn: 'Look for the mandate in `GET /mandates`, or create another one.',
  },
  order_not_found: {
    means: 'Não há pedido com este id para este viajante.',
    meansEn: 'This traveller has no order with this id.',
    why: 'O id está errado, ou o pedido é de outra pessoa: as duas coisas têm a mesma resposta.',
    whyEn: 'The id is wrong, or the order is somebody else’s: both have the same answer.',
    doNow: 'Procure o pedido em `GET /orders`.',
    doNowEn: 'Look for the order in `GET /orders`.',
  },
  ticket_not_found: {
    means: 'Este pedido não tem bilhete, e por isso não tem recibo.',
    meansEn: 'This order has no ticket, and so it has no receipt.',
    why: 'O pedido ainda está em andamento, falhou, não existe, ou é de outra pessoa.',
    whyEn: 'The order is still in progress, failed, does not exist, or is somebody else’s.',
    doNow: 'Leia `GET /orders/{id}`: só um pedido com `status` igual a `paid` tem recibo.',
    doNowEn: 'Read `GET /orders/{id}`: only an order whose `status` is `paid` has a receipt.',
  },
  webhook_not_found: {
    means: 'Este agente não tem um webhook com este id, ou o webhook não tem uma entrega deste evento.',
    meansEn: 'This agent has no webhook with this id, or the webhook has no delivery of this event.',
    why: 'Ele foi apagado, terminou quando o viajante revogou o agente, é de outro agente ou viajante, ou a entrega é antiga demais.',
    whyEn:
      'It was deleted, ended when the traveller revoked the agent, belongs to another agent or traveller, or the delivery is too old.',
    doNow: 'Leia `GET /webhooks` e `GET /webhooks/{id}/deliveries`; crie o webhook de novo, se for o caso.',
    doNowEn: 'Read `GET /webhooks` and `GET /webhooks/{id}/deliveries`; create the webhook again if need be.',
  },
  route_not_found: {
    means: 'Não há nada neste endereço.',
    meansEn: 'There is nothing at this address.',
    why: 'O caminho foi escrito errado, falta `/api/v1`, ou há uma barra a mais.',
    whyEn: 'The path is misspelled, `/api/v1` is missing, or there is a slash too many.',
    doNow: 'Compare o endereço com os da descrição da API, em `/docs`.',
    doNowEn: 'Compare the address with those in the description of the API, at `/docs`.',
  },
  method_not_allowed: {
    means: 'O endereço existe, mas não com este método.',
    meansEn: 'The address exists, but not with this method.',
    why: 'Por exemplo, um `PUT` onde só há `PATCH`. O cabeçalho `Allow` lista os métodos aceitos.',
    whyEn: 'For instance a `PUT` where there is only `PATCH`. The `Allow` header lists the methods that are accepted.',
    doNow: 'Use um dos métodos de `Allow`.',
    doNowEn: 'Use one of the methods in `Allow`.',
  },
  request_timeout: {
    means: 'A requisição não chegou inteira a tempo, e a conexão foi fechada.',
    meansEn: 'The request did not arrive whole in time, and the connection was closed.',
    why: 'A rede está lenta, ou o corpo prometido em `Content-Length` nunca veio. O limite é de 10 segundos para os cabeçalhos e de 30 para tudo.',
    whyEn:
      'The network is slow, or the body promised in `Content-Length` never came. The limit is 10 seconds for the headers and 30 for everything.',
    doNow:
      'Envie de novo, em uma conexão nova. Se a requisição cria algo, use a mesma `Idempotency-Key` da primeira vez.',
    doNowEn:
      'Send it again on a new connection. If the request creates something, use the same `Idempotency-Key` as the first time.',
  },
  mandate_revoked: {
    means: 'O mandato foi revogado e não paga mais nada. Nada foi cobrado.',
    meansEn: 'The mandate was revoked and pays for nothing more. Nothing was charged.',
    why: 'O viajante o revogou na conta dele, retirou a autorização do agente, ou o próprio agente o encerrou.',
    whyEn:
      'The traveller revoked it in their account, withdrew the authorization of the agent, or the agent itself ended it.',
    doNow: 'Não insista. Se o viajante ainda quer a compra, crie ou peça outro mandato.',
    doNowEn: 'Do not insist. If the traveller still wants the purchase, create or ask for another mandate.',
  },
  mandate_expired: {
    means: 'A validade do mandato acabou. Nada foi cobrado.',
    meansEn: 'The validity of the mandate is over. Nothing was charged.',
    why: 'Passaram-se os minutos de `duration.minutes`, ou o viajante antecipou o fim.',
    whyEn: 'The minutes of `duration.minutes` have passed, or the traveller brought the end forward.',
    doNow: 'Crie outro mandato, com uma duração que baste para a compra, e repita o pedido com ele.',
    doNowEn: 'Create another mandate that lasts long enough for the purchase, and repeat the order with it.',
  },
  mandate_paused: {
    means: 'O viajante pôs o mandato em pausa. Nada foi cobrado.',
    meansEn: 'The traveller has paused the mandate. Nothing was charged.',
    why: 'Foi uma escolha dele, na página do mandato.',
    whyEn: 'It was their choice, on the page of the mandate.',
    doNow: 'Diga ao viajante que a compra espera por ele. Quando ele retomar o mandato, a mesma requisição funciona.',
    doNowEn:
      'Tell the traveller that the purchase waits for them. Once they resume the mandate, the same request works.',
  },
  agents_paused: {
    means: 'O viajante pausou todos os seus agentes de uma vez. Nada foi aberto nem cobrado.',
    meansEn: 'The traveller has paused all of their agents at once. Nothing was opened or charged.',
    why: 'Foi uma escolha dele, em *Pausar tudo* da conta. Vale para todos os agentes, também os que ele autorizar depois.',
    whyEn:
      'It was their choice, with *Pausar tudo* in their account. It holds for all agents, those that they authorize later included.',
    doNow: 'Diga ao viajante que a compra espera por ele. Quando ele retomar, a mesma requisição funciona.',
    doNowEn: 'Tell the traveller that the purchase waits for them. Once they resume, the same request works.',
  },
  mandate_pending: {
    means: 'O mandato ainda espera a decisão do viajante. Nada foi cobrado.',
    meansEn: 'The mandate still waits for the traveller’s decision. Nothing was charged.',
    why: 'Este viajante quer ser perguntado a cada mandato que o agente pede.',
    whyEn: 'This traveller wants to be asked for each mandate that the agent requests.',
    doNow:
      'Mostre `approval.url` ao viajante. Depois pergunte pelo mandato a cada `approval.pollAfterSeconds` segundos e, quando estiver `valid`, repita o pedido.',
    doNowEn:
      'Show `approval.url` to the traveller. Then read the mandate every `approval.pollAfterSeconds` seconds and, once it is `valid`, repeat the order.',
  },
  booking_already_ordered: {
    means: 'Esta reserva já tem um bilhete. Nada foi cobrado de novo.',
    meansEn: 'This booking already has a ticket. Nothing was charged again.',
    why: 'Um pedido anterior para ela foi pago; `order` diz qual.',
    whyEn: 'An earlier order for it was paid; `order` says which.',
    doNow: 'Leia esse pedido e o seu recibo. Para outra viagem, crie outra reserva.',
    doNowEn: 'Read that order and its receipt. For another trip, create another booking.',
  },
  order_in_progress: {
    means: 'Já há um pedido em andamento para esta reserva.',
    meansEn: 'An order for this booking is already in progress.',
    why: 'Outra requisição está comprando, ou o pedido espera que o viajante confirme o pagamento; `order` diz qual é.',
    whyEn:
      'Another request is buying, or the order waits for the traveller to confirm the payment; `order` says which one it is.',
    doNow: 'Espere o tempo de `Retry-After` e leia `order.url`. Não crie outra reserva: você compraria duas vezes.',
    doNowEn:
      'Wait as long as `Retry-After` says and read `order.url`. Do not create another booking: you would buy twice.',
  },
  offer_expired: {
    means:
      'O total da reserva não vale mais, e o de agora é mais alto, ou volta menos num cancelamento. Nada foi cobrado, e a reserva não mudou.',
    meansEn:
      'The total of the booking no longer holds, and today it is higher, or less comes back of it. Nothing was charged, and the booking did not change.',
    why: 'Preço e condições são prometidos até `expiresAt` da reserva; depois disso a tarifa subiu de `previous` para `current`, ou `conditions` mudou.',
    whyEn:
      'Price and conditions are promised until `expiresAt` of the booking; after that the fare rose from `previous` to `current`, or `conditions` changed.',
    doNow:
      'Mostre `current` a quem decide. Para aceitar o preço, repita o pedido com `acceptUpTo`, ou com `expectedTotal` igual a `current`; ou altere a reserva com `PATCH`, que começa outra promessa. Condições piores só se aceitam com `PATCH`.',
    doNowEn:
      'Show `current` to whoever decides. To accept the price, repeat the order with `acceptUpTo`, or with an `expectedTotal` equal to `current`; or change the booking with `PATCH`, which begins another promise. Worse conditions are accepted by `PATCH` alone.',
  },
  order_not_cancellable: {
    means: 'O pedido não pode ser cancelado. Nada mudou.',
    meansEn: 'The order cannot be cancelled. Nothing changed.',
    why: '`details.reason` diz por quê: `not_paid`, `undated` (o voo não tem data), `departed`, `in_progress`, `cancelled` (já foi) ou `refund_failed` (o cartão não aceitou a devolução).',
    whyEn:
      '`details.reason` says why: `not_paid`, `undated` (the flight has no date), `departed`, `in_progress`, `cancelled` (it is already) or `refund_failed` (the card did not take the refund).',
    doNow: 'Leia o pedido. Com `in_progress`, espere e leia de novo; nos outros casos, avise o viajante.',
    doNowEn: 'Read the order. With `in_progress`, wait and read it again; otherwise tell the traveller.',
  },
  cancellation_expired: {
    means: 'A cotação do cancelamento não vale mais. Nada foi cancelado.',
    meansEn: 'The quote of the cancellation no longer holds. Nothing was cancelled.',
    why: 'Uma cotação vale até `expiresAt`: 15 minutos, ou menos, se antes disso a taxa muda ou o voo parte.',
    whyEn: 'A quote holds until `expiresAt`: 15 minutes, or less if the fee changes or the flight leaves before.',
    doNow: 'Mostre a nova cotação, `details.cancellation`, e confirme essa.',
    doNowEn: 'Show the new quote, `details.cancellation`, and confirm that one.',
  },
  idempotency_in_flight: {
    means: 'A primeira requisição com esta `Idempotency-Key` ainda não terminou.',
    meansEn: 'The first request with this `Idempotency-Key` has not finished yet.',
    why: 'A repetição chegou antes da resposta, em geral por um tempo de espera curto demais no cliente.',
    whyEn: 'The repetition arrived before the answer, mostly because the client waits for too short a time.',
    doNow: 'Espere o tempo de `Retry-After` e repita com a mesma chave e o mesmo corpo.',
    doNowEn: 'Wait as long as `Retry-After` says and repeat it with the same key and the same body.',
  },
  payload_too_large: {
    means: 'O corpo passa de 64 KiB, de 1.000 membros e elementos ou de 32 níveis, e não foi lido.',
    meansEn:
      'The body is larger than 64 KiB, or has more than 1,000 members and elements or 32 levels, and was not read.',
    why: 'Nenhuma operação precisa de tanto: em geral é um arquivo ou uma conversa inteira no lugar de um campo.',
    whyEn: 'No operation needs that much: mostly it is a file or a whole conversation in the place of a field.',
    doNow: 'Envie só os campos da operação.',
    doNowEn: 'Send only the fields of the operation.',
  },
  unsupported_media_type: {
    means: 'O corpo não veio como `application/json`.',
    meansEn: 'The body did not come as `application/json`.',
    why: 'Falta o cabeçalho `Content-Type`, ou ele diz outra coisa, como um formulário.',
    whyEn: 'The `Content-Type` header is missing, or says something else, such as a form.',
    doNow: 'Envie JSON com `Content-Type: application/json`.',
    doNowEn: 'Send JSON with `Content-Type: application/json`.',
  },
  rate_limited: {
    means: 'Foram requisições demais, ou há coisas demais abertas ao mesmo tempo.',
    meansEn: 'There were too many requests, or too much is open at the same time.',
    why: 'Há limites por endereço, que se refazem o tempo todo e em que corpos longos e consultas caras contam como várias, de cartões recusados, de confirmações e mandatos que esperam, e de mandatos abertos. `details.limit` diz qual deles, quando há.',
    whyEn:
      'There are limits by address, which fill again all the time and count long bodies and dear reads as several, on refused cards, on confirmations and mandates that wait, and on open mandates. `details.limit`, where it is there, says which one.',
    doNow:
      'Espere o tempo de `Retry-After` antes de tentar de novo. Onde o endereço tem limite, o cabeçalho `RateLimit` de cada resposta diz quanto resta dele; dos outros limites só `details` fala.',
    doNowEn:
      'Wait as long as `Retry-After` says before you try again. Where your address is limited, the `RateLimit` header of each answer says how much of that is left; the other limits are told by `details` alone.',
  },
  invalid_body: {
    means: 'O corpo da requisição falta ou está errado.',
    meansEn: 'The body of the request is missing or wrong.',
    why: 'Não é um objeto, falta um membro obrigatório, ou `buyer`, `contact` ou `expectedTotal` tem outra forma. `details` lista cada campo.',
    whyEn:
      'It is not an object, a required member is missing, or `buyer`, `contact` or `expectedTotal` has another form. `details` lists each field.',
    doNow: 'Corrija os campos de `details` e envie de novo.',
    doNowEn: 'Correct the fields in `details` and send it again.',
  },
  unknown_member: {
    means: 'A requisição tem nomes que a operação não conhece, e foi recusada por isso. Nada foi feito.',
    meansEn: 'The request has names that the operation does not know, and was refused for that. Nothing was done.',
    why: 'A requisição pede rigor com `Prefer: handling=strict`, ou o nome está em `constraints`, onde ignorá-lo permitiria mais do que foi pedido. `details` lista os nomes e sugere os parecidos.',
    whyEn:
      'The request asks for strictness with `Prefer: handling=strict`, or the name stands in `constraints`, where ignoring it would allow more than was asked for. `details` lists the names and suggests similar ones.',
    doNow: 'Corrija ou retire os nomes listados.',
    doNowEn: 'Correct or remove the names that are listed.',
  },
  invalid_flight: {
    means: 'O voo informado não serve para uma reserva.',
    meansEn: 'The flight that was named cannot be booked.',
    why: 'Não há voo com este número à venda, ou não em `date`; ou um dos dois não tem a forma certa.',
    whyEn: 'No flight with this number is on sale, or not on `date`; or one of the two has the wrong form.',
    doNow: 'Busque em `GET /flights`, com `date` se o dia importa, e use o `flightNumber` da resposta.',
    doNowEn: 'Search with `GET /flights`, with `date` if the day matters, and use the `flightNumber` of the answer.',
  },
  invalid_fare: {
    means: 'Este voo não tem a tarifa informada.',
    meansEn: 'This flight does not have the fare that was named.',
    why: 'O código é exato, com maiúsculas; a tarifa pode ser de outro voo ou ter saído de venda; ou há uma tarifa sem voo. `details.fares` lista as que o voo tem, com preços.',
    whyEn:
      'The code is exact, in capitals; the fare may belong to another flight or no longer be on sale; or there is a fare without a flight. `details.fares` lists those that the flight has, with their prices.',
    doNow: 'Escolha uma das tarifas de `details.fares` e envie o seu `code` em `fareCode`.',
    doNowEn: 'Choose one of the fares in `details.fares` and send its `code` as `fareCode`.',
  },
  invalid_passengers: {
    means: 'O número de passageiros não serve.',
    meansEn: 'The number of passengers is not acceptable.',
    why: 'Não é um inteiro de 1 a 9, ou veio como texto no corpo.',
    whyEn: 'It is not an integer from 1 to 9, or came as a text in the body.',
    doNow: 'Envie um inteiro de 1 a 9. Para grupos maiores, faça mais de uma reserva.',
    doNowEn: 'Send an integer from 1 to 9. For larger groups, make more than one booking.',
  },
  invalid_travellers: {
    means: 'Os dados de quem vai voar não servem. Nada foi guardado, nem cobrado.',
    meansEn: 'The travellers are not acceptable. Nothing was kept or charged.',
    why: 'Não há um por `passengers`; um nome está vazio, é longo demais ou tem caracteres invisíveis; uma data não existe; ou um bebê de menos de 2 anos viaja sem um adulto só seu. `details` diz em que lugar.',
    whyEn:
      'There is not one for each of `passengers`; a name is empty, too long or has invisible characters; a date does not exist; or an infant under 2 travels without an adult of their own. `details` says where.',
    doNow:
      'Corrija o lugar indicado. Ao mudar `passengers` de uma reserva que já tem nomes, envie os `travellers` junto.',
    doNowEn:
      'Correct the place that is named. When you change `passengers` of a booking that has names, send `travellers` with it.',
  },
  invalid_change: {
    means: 'A alteração da reserva não pode ser feita como foi pedida. A reserva continua como estava.',
    meansEn: 'The booking cannot be changed as requested. It stays as it was.',
    why: 'Falta o corpo, um membro é null, ou a reserva foi criada por outro agente do mesmo viajante: só quem a criou a altera.',
    whyEn:
      'The body is missing, a member is null, or another agent of the same traveller created the booking: only its creator changes it.',
    doNow: 'Envie um objeto só com os membros que mudam, ou crie uma reserva sua.',
    doNowEn: 'Send an object with only the members that change, or create a booking of your own.',
  },
  invalid_limit: {
    means: 'O teto do mandato não serve.',
    meansEn: 'The ceiling of the mandate is not acceptable.',
    why: '`limit.amount` não é um inteiro de 1 a 1000000000000 centavos, ou `limit` falta.',
    whyEn: '`limit.amount` is not an integer from 1 to 1000000000000 cents, or `limit` is missing.',
    doNow: 'Envie o teto em centavos, sem fração: R$ 700,00 é `{"amount": 70000, "currency": "BRL"}`.',
    doNowEn: 'Send the ceiling in cents, without a fraction: R$ 700.00 is `{"amount": 70000, "currency": "BRL"}`.',
  },
  invalid_currency: {
    means: 'A moeda do teto não é uma das aceitas.',
    meansEn: 'The currency of the ceiling is not one of those that are accepted.',
    why: '`limit.currency` falta ou não é `BRL`, `USD` nem `EUR`, em maiúsculas.',
    whyEn: '`limit.currency` is missing, or is none of `BRL`, `USD` and `EUR`, in capitals.',
    doNow: 'Use a moeda do voo, que está em `currency` na busca.',
    doNowEn: 'Use the currency of the flight, which the search gives as `currency`.',
  },
  invalid_validity: {
    means: 'A validade pedida para o mandato não serve.',
    meansEn: 'The validity requested for the mandate is not acceptable.',
    why: '`durationMinutes` não é um inteiro de 1 a 10080, que são sete dias.',
    whyEn: '`durationMinutes` is not an integer from 1 to 10080, which is seven days.',
    doNow: 'Peça só o tempo de que a compra precisa. Sem o membro, o mandato vale 60 minutos.',
    doNowEn: 'Ask for no more time than the purchase needs. Without the member the mandate is valid for 60 minutes.',
  },
  invalid_mandate_scope: {
    means: 'O escopo pedido para o mandato não serve.',
    meansEn: 'The scope requested for the mandate is not acceptable.',
    why: '`scope` está vazio, repete um escopo, ou tem um que não existe.',
    whyEn: '`scope` is empty, repeats a scope, or has one that does not exist.',
    doNow: 'Deixe `scope` de fora: o padrão, `order:write` e `payment:execute`, é o que uma compra precisa.',
    doNowEn: 'Leave `scope` out: the default, `order:write` and `payment:execute`, is what a purchase needs.',
  },
  invalid_constraints: {
    means: 'As condições pedidas para o mandato não servem.',
    meansEn: 'The constraints requested for the mandate are not acceptable.',
    why: 'Um aeroporto não é um código IATA de três letras, um preço está em outra moeda que o teto, ou `maxOrders` não é um inteiro de 1 a 1000. `details` diz qual.',
    whyEn:
      'An airport is not an IATA code of three letters, a price is in another currency than the ceiling, or `maxOrders` is not an integer from 1 to 1000. `details` says which.',
    doNow: 'Corrija o que `details` lista, ou deixe a condição de fora.',
    doNowEn: 'Correct what `details` lists, or leave the constraint out.',
  },
  invalid_booking: {
    means: 'A reserva que o pedido nomeia não existe para este viajante.',
    meansEn: 'The booking that the order names does not exist for this traveller.',
    why: '`bookingId` falta, está errado, ou é de outra pessoa ou de outro agente.',
    whyEn: '`bookingId` is missing, wrong, or belongs to somebody else or to another agent.',
    doNow: 'Use o `id` da resposta de `POST /bookings`.',
    doNowEn: 'Use the `id` from the answer of `POST /bookings`.',
  },
  invalid_mandate: {
    means: 'O mandato que o pedido nomeia não existe para este viajante.',
    meansEn: 'The mandate that the order names does not exist for this traveller.',
    why: '`mandateId` não é um texto, está errado, ou é de outra pessoa.',
    whyEn: '`mandateId` is not a text, is wrong, or belongs to somebody else.',
    doNow:
      'Use o `id` da resposta de `POST /mandates`, ou deixe `mandateId` de fora se só um mandato pode pagar a compra.',
    doNowEn:
      'Use the `id` from the answer of `POST /mandates`, or leave `mandateId` out if only one mandate can pay for the purchase.',
  },
  invalid_payment: {
    means: 'Faltam dados do cartão.',
    meansEn: 'Card data are missing.',
    why: '`payment` não tem `cardNumber`, `expiry` e `cvc`, todos como texto. `details` diz qual.',
    whyEn: '`payment` does not have `cardNumber`, `expiry` and `cvc`, all of them texts. `details` says which.',
    doNow: 'Envie os três como texto, mesmo os que só têm dígitos.',
    doNowEn: 'Send all three as texts, even those that have only digits.',
  },
  invalid_budget: {
    means: 'O orçamento não serve.',
    meansEn: 'The budget is not acceptable.',
    why: '`budget` falta, tem fração ou símbolo de moeda, passa de 12 dígitos, ou veio mais de uma vez.',
    whyEn: '`budget` is missing, has a fraction or a currency sign, is longer than 12 digits, or came more than once.',
    doNow: 'Envie um inteiro em centavos, para todos os passageiros: R$ 1.200,00 é `budget=120000`.',
    doNowEn: 'Send an integer in cents, for all passengers: R$ 1,200.00 is `budget=120000`.',
  },
  invalid_query: {
    means: 'Um parâmetro da consulta está errado.',
    meansEn: 'A parameter of the query is wrong.',
    why: 'Tem um valor fora do que aceita, ou veio mais de uma vez. `details` diz qual e o que se espera.',
    whyEn:
      'Its value is not among those accepted, or it came more than once. `details` says which one and what is expected.',
    doNow: 'Corrija o parâmetro e consulte de novo.',
    doNowEn: 'Correct the parameter and ask again.',
  },
  invalid_cursor: {
    means: 'O cursor de paginação não vale nesta consulta.',
    meansEn: 'The pagination cursor is not good for this query.',
    why: 'Foi alterado ou cortado, ou é de uma lista com outros filtros.',
    whyEn: 'It was changed or cut off, or belongs to a list with other filters.',
    doNow: 'Comece da primeira página, sem `cursor`, e siga por `nextCursor` sem mudar os filtros.',
    doNowEn: 'Start from the first page, without `cursor`, and follow `nextCursor` without changing the filters.',
  },
  cursor_too_old: {
    means: 'O cursor aponta para antes do que ainda é guardado.',
    meansEn: 'The cursor points to before what is still kept.',
    why: 'Eventos são guardados por 30 dias, e alguns depois deste cursor já foram apagados.',
    whyEn: 'Events are kept for 30 days, and some after this cursor have been deleted.',
    doNow: 'Leia mandatos e pedidos como estão agora e continue de `details.oldest`, o mais antigo que ainda vale.',
    doNowEn:
      'Read mandates and orders as they are now, and go on from `details.oldest`, the oldest that is still good.',
  },
  invalid_window: {
    means: 'O período pedido não pode ser mostrado.',
    meansEn: 'The period that was asked for cannot be shown.',
    why: 'Tem pontos demais para o intervalo escolhido, termina antes de começar, ou os dados de então já não são guardados com esse detalhe. `details` diz qual.',
    whyEn:
      'It has too many points for the interval chosen, ends before it begins, or the data of that time are no longer kept in such detail. `details` says which.',
    doNow: 'Peça um período menor, ou um `bucket` maior: horas no lugar de minutos, dias no lugar de horas.',
    doNowEn: 'Ask for a shorter period, or a larger `bucket`: hours instead of minutes, days instead of hours.',
  },
  invalid_webhook: {
    means: 'O webhook não foi criado ou alterado.',
    meansEn: 'The webhook was not created or changed.',
    why: 'O endereço não é https, não é público, ou não respondeu em cinco segundos à mensagem de verificação com 2xx e o mesmo `challenge`; ou outro membro é inválido. `details` diz qual.',
    whyEn:
      'The address is not https, is not public, or did not answer the verification message within five seconds with 2xx and the same `challenge`; or another member is wrong. `details` says which.',
    doNow:
      'Faça o endereço responder a `{ "type": "verification", "challenge": "…" }` com `{ "challenge": "…" }` em JSON, sem redirecionar, e envie a requisição de novo.',
    doNowEn:
      'Let the address answer `{ "type": "verification", "challenge": "…" }` with `{ "challenge": "…" }` in JSON, without a redirect, and send the request again.',
  },
  invalid_metadata: {
    means: 'Os metadados não servem. Nada foi guardado.',
    meansEn: 'The metadata are not acceptable. Nothing was kept.',
    why: '`metadata` não é um objeto de textos, tem mais de 50 nomes, um nome com mais de 40 caracteres ou um texto com mais de 500.',
    whyEn:
      '`metadata` is not an object of texts, has more than 50 names, a name longer than 40 characters or a text longer than 500.',
    doNow: 'Guarde menos, ou só um id seu e o resto do seu lado. Um texto vazio apaga um nome que já está guardado.',
    doNowEn:
      'Keep less, or only an id of yours and the rest on your side. An empty text removes a name that is kept already.',
  },
  booking_empty: {
    means: 'A reserva ainda não diz o que comprar. Nada foi cobrado.',
    meansEn: 'The booking does not say yet what to buy. Nothing was charged.',
    why: 'Falta escolher o voo ou a tarifa.',
    whyEn: 'The flight or the fare has not been chosen.',
    doNow: 'Complete a reserva com `PATCH /bookings/{id}` e repita o pedido.',
    doNowEn: 'Complete the booking with `PATCH /bookings/{id}` and repeat the order.',
  },
  booking_locked: {
    means: 'A reserva não pode mais mudar.',
    meansEn: 'The booking can no longer change.',
    why: 'Há um pedido em andamento para ela, ou o bilhete já foi emitido.',
    whyEn: 'An order for it is in progress, or its ticket was issued.',
    doNow: 'Para outra viagem, crie outra reserva. Se o pedido em andamento falhar, a reserva volta a poder mudar.',
    doNowEn: 'For another trip, create another booking. If the order in progress fails, the booking can change again.',
  },
  seats_unavailable: {
    means: 'O voo não tem assentos livres para todos os passageiros. Nada foi cobrado.',
    meansEn: 'The flight does not have enough free seats for all passengers. Nothing was charged.',
    why: 'Outras compras ocuparam os assentos desde a busca: uma reserva não segura lugar, só o pedido.',
    whyEn: 'Other purchases took the seats since the search: a booking holds no seat, only an order does.',
    doNow: 'Busque outro voo, ou viaje com menos passageiros; `seats` diz quantos lugares restam.',
    doNowEn: 'Search for another flight, or travel with fewer passengers; `seats` says how many are left.',
  },
  flight_departed: {
    means: 'A venda deste voo terminou. Nada foi cobrado.',
    meansEn: 'The sale of this flight is over. Nothing was charged.',
    why: 'A venda de uma partida termina uma hora antes dela; a de um voo com uma só data, na partida. `details.closedAt` diz quando foi.',
    whyEn:
      'The sale of a departure ends an hour before it; that of a flight with a single date, as it leaves. `details.closedAt` says when that was.',
    doNow: 'Busque outro dia com `date`, ou outro voo.',
    doNowEn: 'Search for another day with `date`, or for another flight.',
  },
  flight_cancelled: {
    means: 'A companhia cancelou este voo. Nada foi cobrado.',
    meansEn: 'The airline has cancelled this flight. Nothing was charged.',
    why: 'O voo foi cancelado depois da busca. O que já tinha sido pago por ele volta inteiro.',
    whyEn: 'The flight was cancelled after the search. What had been paid for it comes back whole.',
    doNow: 'Busque outro dia com `date`, ou outro voo.',
    doNowEn: 'Search for another day with `date`, or for another flight.',
  },
  total_changed: {
    means: 'O total da reserva não é o que o pedido esperava. Nada foi cobrado.',
    meansEn: 'The total of the booking is not the one that the order expected. Nothing was charged.',
    why: 'A reserva foi alterada depois que você leu o total, ou `expectedTotal` foi calculado de outro jeito.',
    whyEn: 'The booking was changed after you read its total, or `expectedTotal` was computed in another way.',
    doNow: 'Leia a reserva, mostre o novo total a quem decide, e repita o pedido com ele.',
    doNowEn: 'Read the booking, show the new total to whoever decides, and repeat the order with it.',
  },
  mandate_required: {
    means: 'Nenhum mandato em vigor pode pagar esta compra. Nada foi cobrado.',
    meansEn: 'No mandate in force can pay for this purchase. Nothing was charged.',
    why: 'O pedido não nomeou um mandato, e o viajante não tem nenhum válido para este agente, nesta moeda e para este voo.',
    whyEn:
      'The order named no mandate, and the traveller has none that is valid for this agent, in this currency and for this flight.',
    doNow: 'Crie um mandato que cubra o total com `POST /mandates` e repita o pedido com o seu `mandateId`.',
    doNowEn: 'Create a mandate that covers the total with `POST /mandates` and repeat the order with its `mandateId`.',
  },
  mandate_ambiguous: {
    means: 'Mais de um mandato pode pagar esta compra, e o pedido não disse qual. Nada foi cobrado.',
    meansEn: 'More than one mandate can pay for this purchase, and the order did not say which. Nothing was charged.',
    why: '`mandateId` ficou de fora. `details.mandateIds` lista os mandatos possíveis.',
    whyEn: '`mandateId` was left out. `details.mandateIds` lists the mandates that are possible.',
    doNow: 'Repita o pedido com um dos ids de `details.mandateIds`.',
    doNowEn: 'Repeat the order with one of the ids in `details.mandateIds`.',
  },
  mandate_limit_exceeded: {
    means: 'O total passa do que resta no mandato. Nada foi cobrado.',
    meansEn: 'The total is more than what remains of the mandate. Nothing was charged.',
    why: '`details.required` é o que a compra custa e `details.remaining` o que ainda cabe; o que está separado para pedidos em andamento não conta como livre.',
    whyEn:
      '`details.required` is what the purchase costs and `details.remaining` what still fits; what is set aside for orders in progress is not free.',
    doNow: 'Escolha uma tarifa que caiba em `details.remaining`, ou peça ao viajante outro mandato.',
    doNowEn: 'Choose a fare that fits into `details.remaining`, or ask the traveller for another mandate.',
  },
  mandate_scope_insufficient: {
    means: 'O mandato não autoriza cobranças. Nada foi cobrado.',
    meansEn: 'The mandate does not authorize charges. Nothing was charged.',
    why: 'Uma cobrança precisa de `order:write` e `payment:execute` no `scope` do mandato.',
    whyEn: 'A charge needs `order:write` and `payment:execute` in the `scope` of the mandate.',
    doNow: 'Crie outro mandato sem `scope`: o padrão basta.',
    doNowEn: 'Create another mandate without `scope`: the default is enough.',
  },
  mandate_constraint_violated: {
    means: 'O mandato não permite esta compra. Nada foi cobrado.',
    meansEn: 'The mandate does not allow this purchase. Nothing was charged.',
    why: 'O voo, o preço do assento ou o número de pedidos foge das condições do mandato: `details.constraint` diz qual, e `details.value` o que ela permite.',
    whyEn:
      'The flight, the price of the seat or the number of orders goes beyond the constraints of the mandate: `details.constraint` says which one, and `details.value` what it allows.',
    doNow: 'Escolha um voo que atenda à condição, ou peça ao viajante outro mandato.',
    doNowEn: 'Choose a flight that meets the constraint, or ask the traveller for another mandate.',
  },
  mandate_client_mismatch: {
    means: 'O mandato foi dado a outro agente do mesmo viajante. Nada foi cobrado.',
    meansEn: 'The mandate was granted to another agent of the same traveller. Nothing was charged.',
    why: 'Um mandato só pode ser gasto pelo agente que o criou, ainda que os outros o leiam.',
    whyEn: 'Only the agent that created a mandate can spend it, even though others can read it.',
    doNow: 'Crie um mandato com este mesmo agente.',
    doNowEn: 'Create a mandate with this same agent.',
  },
  currency_mismatch: {
    means: 'O mandato está em outra moeda que a compra. Nada foi cobrado.',
    meansEn: 'The mandate is in another currency than the purchase. Nothing was charged.',
    why: 'Nenhum valor é convertido: o teto e o total precisam da mesma moeda.',
    whyEn: 'No amount is converted: ceiling and total need the same currency.',
    doNow: 'Crie um mandato na moeda do voo.',
    doNowEn: 'Create a mandate in the currency of the flight.',
  },
  mandate_cap_exceeded: {
    means: 'O mandato não cabe no limite total que o viajante deu a este agente. Nenhum mandato foi criado.',
    meansEn:
      'The mandate does not fit into the total that the traveller lets this agent spend. No mandate was created.',
    why: '`details.cap` é o limite, `details.used` o que mandatos abertos e compras já tomam dele, `details.available` o que ainda cabe.',
    whyEn:
      '`details.cap` is that total, `details.used` what open mandates and purchases take of it already, `details.available` what still fits.',
    doNow:
      'Peça um mandato de até `details.available`, revogue um que não usa mais, ou peça ao viajante que aumente o limite.',
    doNowEn:
      'Ask for a mandate of at most `details.available`, revoke one that you no longer use, or ask the traveller to raise the cap.',
  },
  mandate_redeemed: {
    means: 'Um mandato AP2 desta compra já foi usado. Nada mais foi cobrado.',
    meansEn: 'A mandate of AP2 for this purchase was used before. Nothing more was charged.',
    why: 'Um mandato fechado vale para um único pedido, tenha ele sido pago ou não. Só acontece por UCP.',
    whyEn: 'A closed mandate is for a single order, whether that was paid or not. It only happens by UCP.',
    doNow: 'Leia a compra para saber do pedido; para tentar de novo, feche mandatos novos.',
    doNowEn: 'Read the checkout to learn of the order; to try again, close new mandates.',
  },
  idempotency_conflict: {
    means: 'Esta `Idempotency-Key` já foi usada com outro corpo. Nada foi feito.',
    meansEn: 'This `Idempotency-Key` was already used with another body. Nothing was done.',
    why: 'A mesma chave serviu para duas requisições diferentes, ou o corpo mudou entre uma tentativa e outra.',
    whyEn: 'The same key was used for two different requests, or the body changed between one try and the next.',
    doNow: 'Use uma chave nova para uma requisição nova; ao repetir, envie exatamente o mesmo corpo.',
    doNowEn: 'Use a new key for a new request; when you repeat one, send exactly the same body.',
  },
  internal_error: {
    means: 'Algo falhou do nosso lado.',
    meansEn: 'Something failed on our side.',
    why: 'Não foi algo que a requisição tenha feito de errado.',
    whyEn: 'It was nothing that the request did wrong.',
    doNow:
      'Repita daqui a pouco, com a mesma `Idempotency-Key` se a requisição cria algo. Se persistir, informe o `requestId` ao suporte.',
    doNowEn:
      'Repeat it in a while, with the same `Idempotency-Key` if the request creates something. If it persists, give the `requestId` to the support.',
  },
  service_unavailable: {
    means: 'O serviço não pode responder agora.',
    meansEn: 'The service cannot answer right now.',
    why: 'Está começando, parando, ocupado demais, ou um dos seus bancos de dados não responde. Se um pedido chegou a começar, `order` diz qual é, e ele termina sozinho.',
    whyEn:
      'It is starting, stopping, too busy, or one of its databases does not answer. If an order was begun, `order` says which one, and it comes to an end by itself.',
    doNow:
      'Espere o tempo de `Retry-After` e repita, com a mesma `Idempotency-Key` se a requisição cria algo. Com `order`, leia antes esse pedido: ele pode estar pago.',
    doNowEn:
      'Wait as long as `Retry-After` says and repeat it, with the same `Idempotency-Key` if the request creates something. With `order`, read that order first: it may be paid.',
  },
};
