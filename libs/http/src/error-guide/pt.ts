import type { ErrorGuide } from '../error-catalogue.js';

/** What the Portuguese page of each error says. */
export const PT: ErrorGuide = {
  malformed_json: {
    means: 'A requisição não pôde ser lida: o corpo não é JSON, ou a mensagem HTTP está incompleta.',
    why: 'Uma vírgula a mais, aspas simples, um corpo cortado, mais de 32 níveis de objetos dentro de objetos, ou uma requisição HTTP/1.1 sem `Host`.',
    doNow:
      'Gere o corpo com o serializador de JSON da sua linguagem, em UTF-8, e envie a requisição de novo. A mesma requisição, sem mudanças, falha outra vez.',
  },
  unknown_tool: {
    means: 'Não existe ferramenta com o nome enviado em `tool`.',
    why: 'O nome foi escrito de outro jeito, ou é de uma ferramenta que este serviço não tem.',
    doNow: 'Leia os nomes no manifesto, em `/.well-known/webmcp.json`, e use um deles exatamente como está.',
  },
  invalid_arguments: {
    means: 'Os argumentos da ferramenta não têm a forma que ela pede.',
    why: 'Falta um argumento obrigatório, um tem outro tipo, ou `arguments` não é um objeto. `details` lista cada campo e o que há de errado nele.',
    doNow: 'Compare os argumentos com o `inputSchema` da ferramenta no manifesto, corrija e chame de novo.',
  },
  invalid_idempotency_key: {
    means: 'O cabeçalho `Idempotency-Key` não tem uma forma aceita.',
    why: 'Está vazio, passa de 255 caracteres, tem espaço ou acento, ou foi enviado duas vezes.',
    doNow:
      'Use um UUID novo para cada compra, reserva ou mandato, e o mesmo UUID quando repetir a mesma requisição. Nada foi criado.',
  },
  token_missing: {
    means: 'Esta operação precisa de um token de acesso, e a requisição veio sem nenhum.',
    why: 'Falta o cabeçalho `Authorization: Bearer …` (ou `Authorization: DPoP …`).',
    doNow:
      'Obtenha um token pelo OAuth 2.1, com a autorização do viajante. O cabeçalho `WWW-Authenticate` desta resposta diz onde está o servidor de autorização.',
  },
  invalid_token: {
    means: 'O token de acesso não vale aqui.',
    why: 'Ele expirou (vive uma hora), foi revogado pelo viajante, está incompleto, foi emitido para outro recurso, ou a prova DPoP que o acompanha não confere; neste caso, `details` diz por quê.',
    doNow:
      'Troque o refresh token por um novo token de acesso. Se isso também for recusado, o viajante retirou a autorização: só ele pode dá-la de novo.',
  },
  payment_declined: {
    means: 'O emissor do cartão recusou o pagamento. Nada foi cobrado.',
    why: 'A decisão é do emissor. No processador de testes, o cartão 4000 0000 0000 0002 é sempre recusado.',
    doNow:
      'Não repita com o mesmo cartão: peça outro ao viajante e faça um novo pedido para a mesma reserva. Dez recusas em dez minutos fecham a porta por um tempo.',
  },
  payment_insufficient_funds: {
    means: 'O cartão não tem saldo ou limite para o total. Nada foi cobrado.',
    why: 'O emissor disse que o valor não cabe. No processador de testes, é o que o cartão 4000 0000 0000 9995 responde.',
    doNow: 'Ofereça ao viajante uma tarifa mais barata, ou peça outro cartão, e faça um novo pedido.',
  },
  payment_card_expired: {
    means: 'O cartão está vencido. Nenhum pedido foi aberto.',
    why: 'A validade enviada em `payment.expiry` já passou. Um cartão vale até o fim do mês.',
    doNow: 'Confira a validade com o viajante; se estiver certa, peça outro cartão.',
  },
  payment_card_invalid: {
    means: 'Os dados do cartão não podem estar certos. Nenhum pedido foi aberto.',
    why: 'O número não passa no dígito verificador, não tem de 12 a 19 dígitos, a validade não é MM/AA, MM/AAAA ou AAAA-MM, ou o CVC não tem 3 ou 4 dígitos.',
    doNow: 'Confira cada dado com o viajante e envie de novo. Não tente adivinhar dígitos: as recusas são contadas.',
  },
  payment_challenge_required: {
    means: 'O pagamento espera que o próprio viajante confirme. O pedido está aberto e nada foi cobrado ainda.',
    why: 'O emissor pediu uma confirmação que nenhum agente pode dar.',
    doNow:
      'Mostre `challenge.url` ao viajante. Depois repita a mesma requisição a cada `challenge.pollAfterSeconds` segundos, até `challenge.expiresAt`: ela termina o mesmo pedido.',
  },
  payment_challenge_failed: {
    means: 'O viajante não confirmou o pagamento. O pedido terminou e nada foi cobrado.',
    why: 'Ele recusou, ou os dez minutos para decidir passaram.',
    doNow:
      'Pergunte ao viajante se ele ainda quer a viagem. Por dez minutos, o mesmo cartão com a mesma reserva tem esta mesma resposta; outro cartão abre um novo pedido.',
  },
  payment_not_completed: {
    means: 'O viajante aprovou o pagamento, e o prazo acabou antes que o agente concluísse a compra. Nada foi cobrado.',
    why: 'Depois da aprovação, a mesma requisição não foi enviada de novo até `challenge.expiresAt`.',
    doNow:
      'Conte ao viajante que a compra não foi feita e pergunte se ele ainda a quer. Por dez minutos, o mesmo cartão com a mesma reserva tem esta mesma resposta; depois, ou com outro cartão, a mesma requisição abre um novo pedido, que ele aprova de novo.',
  },
  insufficient_scope: {
    means: 'O token vale, mas não permite esta operação.',
    why: 'O viajante autorizou o agente sem um dos escopos que a operação pede. O cabeçalho `WWW-Authenticate` lista todos.',
    doNow: 'Peça uma nova autorização ao viajante com os escopos que faltam, além dos que você já tem.',
  },
  mandate_forbidden: {
    means: 'Este mandato é de outro viajante.',
    why: 'O id foi guardado ou copiado de outra conta, ou o token é de outro viajante.',
    doNow: 'Use os mandatos que `GET /mandates` lista para este token.',
  },
  origin_forbidden: {
    means: 'Uma página de outro site chamou `/mcp`, e este endereço não aceita páginas desconhecidas.',
    why: 'O navegador enviou um `Origin` que não é o deste site nem um dos que o operador permitiu.',
    doNow:
      'Chame `/mcp` de um programa, que não envia `Origin`, ou peça ao operador que inclua a sua origem em `MCP_ALLOWED_ORIGINS`.',
  },
  invalid_signature: {
    means: 'A requisição veio assinada, e a assinatura não confere. Nada foi feito.',
    why: 'A chave publicada não é a que assinou, a assinatura venceu, ou algo mudou no caminho. `details.reason` diz qual foi o caso.',
    doNow:
      'Assine cada requisição de novo, com o relógio certo e a chave que o seu diretório publica. Sem assinatura, a requisição também é aceita.',
  },
  flight_not_found: {
    means: 'Não há voo com este número.',
    why: 'O número foi escrito errado, ou o voo nunca esteve à venda. Maiúsculas, espaços e hífens não contam.',
    doNow: 'Busque o voo em `GET /flights` e use o `flightNumber` que vem na resposta.',
  },
  booking_not_found: {
    means: 'Não há reserva com este id para este viajante.',
    why: 'O id está errado, ou a reserva é de outra pessoa: as duas coisas têm a mesma resposta.',
    doNow: 'Procure a reserva em `GET /bookings`, ou crie outra.',
  },
  mandate_not_found: {
    means: 'Não há mandato com este id.',
    why: 'O id está errado ou incompleto, ou o mandato nunca chegou a ser criado.',
    doNow: 'Procure o mandato em `GET /mandates`, ou crie outro.',
  },
  order_not_found: {
    means: 'Não há pedido com este id para este viajante.',
    why: 'O id está errado, ou o pedido é de outra pessoa: as duas coisas têm a mesma resposta.',
    doNow: 'Procure o pedido em `GET /orders`.',
  },
  ticket_not_found: {
    means: 'Este pedido não tem bilhete, e por isso não tem recibo.',
    why: 'O pedido ainda está em andamento, falhou, não existe, ou é de outra pessoa.',
    doNow: 'Leia `GET /orders/{id}`: só um pedido com `status` igual a `paid` tem recibo.',
  },
  route_not_found: {
    means: 'Não há nada neste endereço.',
    why: 'O caminho foi escrito errado, falta `/api/v1`, ou há uma barra a mais.',
    doNow: 'Compare o endereço com os da descrição da API, em `/docs`.',
  },
  method_not_allowed: {
    means: 'O endereço existe, mas não com este método.',
    why: 'Por exemplo, um `PUT` onde só há `PATCH`. O cabeçalho `Allow` lista os métodos aceitos.',
    doNow: 'Use um dos métodos de `Allow`.',
  },
  request_timeout: {
    means: 'A requisição não chegou inteira a tempo, e a conexão foi fechada.',
    why: 'A rede está lenta, ou o corpo prometido em `Content-Length` nunca veio. O limite é de 10 segundos para os cabeçalhos e de 30 para tudo.',
    doNow:
      'Envie de novo, em uma conexão nova. Se a requisição cria algo, use a mesma `Idempotency-Key` da primeira vez.',
  },
  mandate_revoked: {
    means: 'O mandato foi revogado e não paga mais nada. Nada foi cobrado.',
    why: 'O viajante o revogou na conta dele, retirou a autorização do agente, ou o próprio agente o encerrou.',
    doNow: 'Não insista. Se o viajante ainda quer a compra, crie ou peça outro mandato.',
  },
  mandate_expired: {
    means: 'A validade do mandato acabou. Nada foi cobrado.',
    why: 'Passaram-se os minutos de `duration.minutes`, ou o viajante antecipou o fim.',
    doNow: 'Crie outro mandato, com uma duração que baste para a compra, e repita o pedido com ele.',
  },
  mandate_paused: {
    means: 'O viajante pôs o mandato em pausa. Nada foi cobrado.',
    why: 'Foi uma escolha dele, na página do mandato.',
    doNow: 'Diga ao viajante que a compra espera por ele. Quando ele retomar o mandato, a mesma requisição funciona.',
  },
  mandate_pending: {
    means: 'O mandato ainda espera a decisão do viajante. Nada foi cobrado.',
    why: 'Este viajante quer ser perguntado a cada mandato que o agente pede.',
    doNow:
      'Mostre `approval.url` ao viajante. Depois pergunte pelo mandato a cada `approval.pollAfterSeconds` segundos e, quando estiver `valid`, repita o pedido.',
  },
  booking_already_ordered: {
    means: 'Esta reserva já tem um bilhete. Nada foi cobrado de novo.',
    why: 'Um pedido anterior para ela foi pago; `order` diz qual.',
    doNow: 'Leia esse pedido e o seu recibo. Para outra viagem, crie outra reserva.',
  },
  order_in_progress: {
    means: 'Já há um pedido em andamento para esta reserva.',
    why: 'Outra requisição está comprando, ou o pedido espera que o viajante confirme o pagamento; `order` diz qual é.',
    doNow: 'Espere o tempo de `Retry-After` e leia `order.url`. Não crie outra reserva: você compraria duas vezes.',
  },
  idempotency_in_flight: {
    means: 'A primeira requisição com esta `Idempotency-Key` ainda não terminou.',
    why: 'A repetição chegou antes da resposta, em geral por um tempo de espera curto demais no cliente.',
    doNow: 'Espere o tempo de `Retry-After` e repita com a mesma chave e o mesmo corpo.',
  },
  payload_too_large: {
    means: 'O corpo passa de 64 KiB, de 1.000 membros e elementos ou de 32 níveis, e não foi lido.',
    why: 'Nenhuma operação precisa de tanto: em geral é um arquivo ou uma conversa inteira no lugar de um campo.',
    doNow: 'Envie só os campos da operação.',
  },
  unsupported_media_type: {
    means: 'O corpo não veio como `application/json`.',
    why: 'Falta o cabeçalho `Content-Type`, ou ele diz outra coisa, como um formulário.',
    doNow: 'Envie JSON com `Content-Type: application/json`.',
  },
  rate_limited: {
    means: 'Foram requisições demais, ou há coisas demais abertas ao mesmo tempo.',
    why: 'Há limites por endereço, que se refazem o tempo todo e em que corpos longos e consultas caras contam como várias, de cartões recusados, de confirmações e mandatos que esperam, e de mandatos abertos. `details.limit` diz qual deles, quando há.',
    doNow:
      'Espere o tempo de `Retry-After` antes de tentar de novo. Onde o endereço tem limite, o cabeçalho `RateLimit` de cada resposta diz quanto resta dele; dos outros limites só `details` fala.',
  },
  invalid_body: {
    means: 'O corpo da requisição falta ou está errado.',
    why: 'Não é um objeto, falta um membro obrigatório, ou `buyer` ou `expectedTotal` tem outra forma. `details` lista cada campo.',
    doNow: 'Corrija os campos de `details` e envie de novo.',
  },
  unknown_member: {
    means: 'A requisição tem nomes que a operação não conhece, e foi recusada por isso. Nada foi feito.',
    why: 'A requisição pede rigor com `Prefer: handling=strict`, ou o nome está em `constraints`, onde ignorá-lo permitiria mais do que foi pedido. `details` lista os nomes e sugere os parecidos.',
    doNow: 'Corrija ou retire os nomes listados.',
  },
  invalid_flight: {
    means: 'O voo informado não serve para uma reserva.',
    why: 'Não há voo com este número à venda, ou `flightNumber` não é um texto.',
    doNow: 'Busque em `GET /flights` e use o `flightNumber` da resposta.',
  },
  invalid_fare: {
    means: 'Este voo não tem a tarifa informada.',
    why: 'O código é exato, com maiúsculas; a tarifa pode ser de outro voo ou ter saído de venda; ou há uma tarifa sem voo. `details.fares` lista as que o voo tem, com preços.',
    doNow: 'Escolha uma das tarifas de `details.fares` e envie o seu `code` em `fareCode`.',
  },
  invalid_passengers: {
    means: 'O número de passageiros não serve.',
    why: 'Não é um inteiro de 1 a 9, ou veio como texto no corpo.',
    doNow: 'Envie um inteiro de 1 a 9. Para grupos maiores, faça mais de uma reserva.',
  },
  invalid_change: {
    means: 'A alteração da reserva não pode ser feita como foi pedida. A reserva continua como estava.',
    why: 'Falta o corpo, um membro é null, ou a reserva foi criada por outro agente do mesmo viajante: só quem a criou a altera.',
    doNow: 'Envie um objeto só com os membros que mudam, ou crie uma reserva sua.',
  },
  invalid_limit: {
    means: 'O teto do mandato não serve.',
    why: '`limit.amount` não é um inteiro de 1 a 1000000000000 centavos, ou `limit` falta.',
    doNow: 'Envie o teto em centavos, sem fração: R$ 700,00 é `{"amount": 70000, "currency": "BRL"}`.',
  },
  invalid_currency: {
    means: 'A moeda do teto não é uma das aceitas.',
    why: '`limit.currency` falta ou não é `BRL`, `USD` nem `EUR`, em maiúsculas.',
    doNow: 'Use a moeda do voo, que está em `currency` na busca.',
  },
  invalid_validity: {
    means: 'A validade pedida para o mandato não serve.',
    why: '`durationMinutes` não é um inteiro de 1 a 10080, que são sete dias.',
    doNow: 'Peça só o tempo de que a compra precisa. Sem o membro, o mandato vale 60 minutos.',
  },
  invalid_mandate_scope: {
    means: 'O escopo pedido para o mandato não serve.',
    why: '`scope` está vazio, repete um escopo, ou tem um que não existe.',
    doNow: 'Deixe `scope` de fora: o padrão, `order:write` e `payment:execute`, é o que uma compra precisa.',
  },
  invalid_constraints: {
    means: 'As condições pedidas para o mandato não servem.',
    why: 'Um aeroporto não é um código IATA de três letras, o preço por assento está em outra moeda que o teto, ou `maxOrders` não é um inteiro de 1 a 1000. `details` diz qual.',
    doNow: 'Corrija o que `details` lista, ou deixe a condição de fora.',
  },
  invalid_booking: {
    means: 'A reserva que o pedido nomeia não existe para este viajante.',
    why: '`bookingId` falta, está errado, ou é de outra pessoa ou de outro agente.',
    doNow: 'Use o `id` da resposta de `POST /bookings`.',
  },
  invalid_mandate: {
    means: 'O mandato que o pedido nomeia não existe para este viajante.',
    why: '`mandateId` não é um texto, está errado, ou é de outra pessoa.',
    doNow:
      'Use o `id` da resposta de `POST /mandates`, ou deixe `mandateId` de fora se só um mandato pode pagar a compra.',
  },
  invalid_payment: {
    means: 'Faltam dados do cartão.',
    why: '`payment` não tem `cardNumber`, `expiry` e `cvc`, todos como texto. `details` diz qual.',
    doNow: 'Envie os três como texto, mesmo os que só têm dígitos.',
  },
  invalid_budget: {
    means: 'O orçamento não serve.',
    why: '`budget` falta, tem fração ou símbolo de moeda, passa de 12 dígitos, ou veio mais de uma vez.',
    doNow: 'Envie um inteiro em centavos, para todos os passageiros: R$ 1.200,00 é `budget=120000`.',
  },
  invalid_query: {
    means: 'Um parâmetro da consulta está errado.',
    why: 'Tem um valor fora do que aceita, ou veio mais de uma vez. `details` diz qual e o que se espera.',
    doNow: 'Corrija o parâmetro e consulte de novo.',
  },
  invalid_cursor: {
    means: 'O cursor de paginação não vale nesta consulta.',
    why: 'Foi alterado ou cortado, ou é de uma lista com outros filtros.',
    doNow: 'Comece da primeira página, sem `cursor`, e siga por `nextCursor` sem mudar os filtros.',
  },
  invalid_window: {
    means: 'O período pedido não pode ser mostrado.',
    why: 'Tem pontos demais para o intervalo escolhido, termina antes de começar, ou os dados de então já não são guardados com esse detalhe. `details` diz qual.',
    doNow: 'Peça um período menor, ou um `bucket` maior: horas no lugar de minutos, dias no lugar de horas.',
  },
  invalid_metadata: {
    means: 'Os metadados não servem. Nada foi guardado.',
    why: '`metadata` não é um objeto de textos, tem mais de 50 nomes, um nome com mais de 40 caracteres ou um texto com mais de 500.',
    doNow: 'Guarde menos, ou só um id seu e o resto do seu lado. Um texto vazio apaga um nome que já está guardado.',
  },
  booking_empty: {
    means: 'A reserva ainda não diz o que comprar. Nada foi cobrado.',
    why: 'Falta escolher o voo ou a tarifa.',
    doNow: 'Complete a reserva com `PATCH /bookings/{id}` e repita o pedido.',
  },
  booking_locked: {
    means: 'A reserva não pode mais mudar.',
    why: 'Há um pedido em andamento para ela, ou o bilhete já foi emitido.',
    doNow: 'Para outra viagem, crie outra reserva. Se o pedido em andamento falhar, a reserva volta a poder mudar.',
  },
  seats_unavailable: {
    means: 'O voo não tem assentos livres para todos os passageiros. Nada foi cobrado.',
    why: 'Outras compras ocuparam os assentos desde a busca: uma reserva não segura lugar, só o pedido.',
    doNow: 'Busque outro voo, ou viaje com menos passageiros; `seats` diz quantos lugares restam.',
  },
  flight_departed: {
    means: 'A venda deste voo terminou. Nada foi cobrado.',
    why: 'O voo tem data marcada, e a hora de partida passou.',
    doNow: 'Busque outro voo.',
  },
  total_changed: {
    means: 'O total da reserva não é o que o pedido esperava. Nada foi cobrado.',
    why: 'A reserva foi alterada depois que você leu o total, ou `expectedTotal` foi calculado de outro jeito.',
    doNow: 'Leia a reserva, mostre o novo total a quem decide, e repita o pedido com ele.',
  },
  mandate_required: {
    means: 'Nenhum mandato em vigor pode pagar esta compra. Nada foi cobrado.',
    why: 'O pedido não nomeou um mandato, e o viajante não tem nenhum válido para este agente, nesta moeda e para este voo.',
    doNow: 'Crie um mandato que cubra o total com `POST /mandates` e repita o pedido com o seu `mandateId`.',
  },
  mandate_ambiguous: {
    means: 'Mais de um mandato pode pagar esta compra, e o pedido não disse qual. Nada foi cobrado.',
    why: '`mandateId` ficou de fora. `details.mandateIds` lista os mandatos possíveis.',
    doNow: 'Repita o pedido com um dos ids de `details.mandateIds`.',
  },
  mandate_limit_exceeded: {
    means: 'O total passa do que resta no mandato. Nada foi cobrado.',
    why: '`details.required` é o que a compra custa e `details.remaining` o que ainda cabe; o que está separado para pedidos em andamento não conta como livre.',
    doNow: 'Escolha uma tarifa que caiba em `details.remaining`, ou peça ao viajante outro mandato.',
  },
  mandate_scope_insufficient: {
    means: 'O mandato não autoriza cobranças. Nada foi cobrado.',
    why: 'Uma cobrança precisa de `order:write` e `payment:execute` no `scope` do mandato.',
    doNow: 'Crie outro mandato sem `scope`: o padrão basta.',
  },
  mandate_constraint_violated: {
    means: 'O mandato não permite esta compra. Nada foi cobrado.',
    why: 'O voo, o preço do assento ou o número de pedidos foge das condições do mandato: `details.constraint` diz qual, e `details.value` o que ela permite.',
    doNow: 'Escolha um voo que atenda à condição, ou peça ao viajante outro mandato.',
  },
  mandate_client_mismatch: {
    means: 'O mandato foi dado a outro agente do mesmo viajante. Nada foi cobrado.',
    why: 'Um mandato só pode ser gasto pelo agente que o criou, ainda que os outros o leiam.',
    doNow: 'Crie um mandato com este mesmo agente.',
  },
  currency_mismatch: {
    means: 'O mandato está em outra moeda que a compra. Nada foi cobrado.',
    why: 'Nenhum valor é convertido: o teto e o total precisam da mesma moeda.',
    doNow: 'Crie um mandato na moeda do voo.',
  },
  mandate_cap_exceeded: {
    means: 'O mandato não cabe no limite total que o viajante deu a este agente. Nenhum mandato foi criado.',
    why: '`details.cap` é o limite, `details.used` o que mandatos abertos e compras já tomam dele, `details.available` o que ainda cabe.',
    doNow:
      'Peça um mandato de até `details.available`, revogue um que não usa mais, ou peça ao viajante que aumente o limite.',
  },
  idempotency_conflict: {
    means: 'Esta `Idempotency-Key` já foi usada com outro corpo. Nada foi feito.',
    why: 'A mesma chave serviu para duas requisições diferentes, ou o corpo mudou entre uma tentativa e outra.',
    doNow: 'Use uma chave nova para uma requisição nova; ao repetir, envie exatamente o mesmo corpo.',
  },
  internal_error: {
    means: 'Algo falhou do nosso lado.',
    why: 'Não foi algo que a requisição tenha feito de errado.',
    doNow:
      'Repita daqui a pouco, com a mesma `Idempotency-Key` se a requisição cria algo. Se persistir, informe o `requestId` ao suporte.',
  },
  service_unavailable: {
    means: 'O serviço não pode responder agora.',
    why: 'Está começando, parando, ocupado demais, ou um dos seus bancos de dados não responde. Se um pedido chegou a começar, `order` diz qual é, e ele termina sozinho.',
    doNow:
      'Espere o tempo de `Retry-After` e repita, com a mesma `Idempotency-Key` se a requisição cria algo. Com `order`, leia antes esse pedido: ele pode estar pago.',
  },
};
