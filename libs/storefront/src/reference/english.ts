/**
 * What the description says in Portuguese, in English: the texts of fields and parameters stand in many classes, which
 * programs and people here read in Portuguese. What is not in this table is shown as it is, and said to be Portuguese.
 */
export const ENGLISH: Readonly<Partial<Record<string, string>>> = {
  // Scopes.
  'Consultar voos, tarifas, horários e disponibilidade': 'Read flights, fares, times and availability',
  'Criar e alterar reservas de voo': 'Create and change bookings',
  'Confirmar reservas e emitir bilhetes': 'Confirm bookings and issue tickets',
  'Criar e revogar mandatos de pagamento, com teto de valor e prazo':
    'Create and revoke payment mandates, with a ceiling and a validity',
  'Cobrar dentro do teto de um mandato válido': 'Charge within the ceiling of a valid mandate',
  'Ler seus recibos, itinerários e histórico de bilhetes': 'Read receipts, itineraries and past tickets',

  // Tools.
  'O que a ferramenta responde, na forma do seu outputSchema; ou a recusa, com error, status e doc_url.':
    'What the tool answers, in the form of its outputSchema; or the refusal, with error, status and doc_url.',
  'O mesmo que structuredContent, como texto.': 'The same as structuredContent, as text.',
  'Se é uma recusa de negócio (402, 409 ou 422).': 'Whether it is a refusal of the business (402, 409 or 422).',

  // Parameters and headers.
  'handling=strict recusa com 422 o que a operação não conhece, em vez de ignorar com um aviso (RFC 7240).':
    'handling=strict refuses what the operation does not know with 422, in place of ignoring it with a warning (RFC 7240).',
  'Itens por página.': 'Items on a page.',
  'O nextCursor da página anterior.': 'The nextCursor of the page before.',
  'Cidade de destino, código ou nome de aeroporto, ou número de voo, com ou sem as letras; ignora maiúsculas e acentos.':
    'City of destination, code or name of an airport, or number of a flight, with or without its letters; case and accents do not matter.',
  'Aeroporto de origem: código IATA, nome ou cidade; ignora maiúsculas e acentos.':
    'Airport of departure: IATA code, name or city; case and accents do not matter.',
  'Aeroporto de destino: código IATA, nome ou cidade; ignora maiúsculas e acentos.':
    'Airport of arrival: IATA code, name or city; case and accents do not matter.',
  'Ordem: hora de partida, duração ou menor preço.': 'Order: time of departure, duration or lowest price.',
  'O que o If-None-Match nomeia não mudou.': 'What If-None-Match names has not changed.',
  'Número do voo; maiúsculas, espaços e hífens não contam.':
    'Number of the flight; case, blanks and hyphens do not matter.',
  'Orçamento em centavos, para todos os passageiros.': 'Budget in cents, for all passengers.',
  'Número de passageiros.': 'Number of passengers.',
  'Até 255 caracteres ASCII visíveis. Por 24 horas, a mesma chave com o mesmo corpo devolve a primeira resposta (com o cabeçalho Idempotent-Replayed: true), sem criar nem cobrar de novo.':
    'Up to 255 visible ASCII characters. For 24 hours the same key with the same body gets the first answer again (with the header Idempotent-Replayed: true), and nothing is created or charged twice.',
  'Só o que foi criado neste instante ou depois (RFC 3339).':
    'Only what was created at this instant or later (RFC 3339).',
  'Só o que foi criado antes deste instante (RFC 3339).': 'Only what was created before this instant (RFC 3339).',
  'Começo; sem ele, 24 horas antes de to.': 'Beginning; without it, 24 hours before to.',
  'Fim; sem ele, agora.': 'End; without it, now.',
  'Intervalo de cada ponto, em UTC. Minutos são guardados por 48 horas, horas por 90 dias, dias para sempre. Um período vai até 48 horas por minuto, 90 dias por hora ou 366 dias por dia; com operation ou agent, até 6 horas por minuto ou 7 dias por hora. Sem ele, conforme o período.':
    'Interval of each point, in UTC. Minutes are kept for 48 hours, hours for 90 days, days for ever. A period is up to 48 hours by the minute, 90 days by the hour or 366 days by the day; with operation or agent, up to 6 hours by the minute or 7 days by the hour. Without it, by the period.',
  'Só chamadas desta operação.': 'Only calls of this operation.',
  'Só chamadas desta família de agentes.': 'Only calls of this family of agents.',
  'Formato da resposta; sem ele, o que Accept pedir.': 'Format of the answer; without it, what Accept asks for.',

  // Errors and warnings.
  'Código estável do erro.': 'The code of the error; it does not change.',
  'O mandato que espera a decisão do viajante.': 'The mandate that waits for its traveller to decide.',
  'Onde está: no corpo, na consulta ou nos argumentos da ferramenta.':
    'Where it is: in the body, the query or the arguments of the tool.',
  'O nome que não é conhecido; nunca o valor.': 'The name that is not known; never its value.',
  'O nome conhecido mais próximo, se houver.': 'The nearest name that is known, if there is one.',
  'O mesmo para pessoas.': 'The same for people.',
  'Nomes desconhecidos da requisição, que foram ignorados. Ausente quando não há nenhum.':
    'Unknown names of the request, which were ignored. Absent where there are none.',

  // Flights and fares.
  'Código exato, o `fareCode` das reservas.': 'Its exact code, the `fareCode` of bookings.',
  'Preço por passageiro, em centavos da moeda do voo.':
    'Price for a passenger, in cents of the currency of the flight.',
  'Hora local de chegada, HH:mm.': 'Local time of arrival, HH:mm.',
  'Dias depois do dia da partida.': 'Days after the day of departure.',
  'Bagagem incluída: nenhuma; despachada; despachada e assento.': 'Included: no baggage; checked; checked, and a seat.',
  'Chega no dia da partida.': 'Arrives on the day of departure.',
  'Inclui bagagem despachada.': 'Includes checked baggage.',
  'Identifica o voo nos caminhos.': 'Identifies the flight in paths.',
  'Aeroporto de origem (IATA).': 'Airport of departure (IATA).',
  'Aeroporto de destino (IATA).': 'Airport of arrival (IATA).',
  'Cidade de origem; null: desconhecida.': 'City of departure; null: unknown.',
  'Cidade de destino.': 'City of arrival.',
  'Hora local da partida, HH:mm.': 'Local time of departure, HH:mm.',
  'Data local da partida; null: o voo não tem data marcada.': 'Local date of departure; null: the flight has no date.',
  'Duração em minutos.': 'Duration in minutes.',
  'Assentos ainda à venda.': 'Seats still on sale.',
  'Moeda dos preços.': 'Currency of the prices.',
  'Tarifas do voo.': 'Fares of the flight.',
  'Página pública do voo.': 'Public page of the flight.',
  'Os parâmetros da busca sugerida.': 'The parameters of the search that is suggested.',
  'Quantos voos ela encontra.': 'How many flights it finds.',
  'A sugestão para pessoas.': 'The suggestion for people.',
  'Só onde nada foi encontrado: buscas que encontram voos, a mais provável primeiro.':
    'Only where nothing was found: searches that find flights, the likeliest first.',
  'O `fareCode` das reservas.': 'The `fareCode` of bookings.',
  'Preço por passageiro.': 'Price for a passenger.',
  'Preço para todos os passageiros.': 'Price for all passengers.',
  'O total cabe no orçamento.': 'The total is within the budget.',
  'Orçamento menos total; negativo quando o total passa do orçamento.':
    'Budget less total; negative where the total is above the budget.',
  'O que falta à tarifa; vazio: nada.': 'What the fare lacks; empty: nothing.',
  'O orçamento informado, na moeda do voo.': 'The budget that was given, in the currency of the flight.',
  'Todas as tarifas, por total e depois código.': 'All fares, by total and then code.',
  'A mais barata que chega no mesmo dia com bagagem despachada, caiba ou não no orçamento; null: nenhuma.':
    'The cheapest that arrives on the same day with checked baggage, within the budget or not; null: none.',

  // Lists and money.
  'Total de itens que correspondem, até 10.000 (voos: todos).': 'How many items match, up to 10,000 (flights: all).',
  'Presente, e então false, quando há mais de 10.000.': 'There, and false then, where more than 10,000 match.',
  'Cursor da próxima página; null na última.': 'Cursor of the next page; null on the last.',
  'Uma página dos itens.': 'A page of the items.',
  'Valor em centavos.': 'Amount in cents.',

  // Bookings, mandates, orders.
  'Código da tarifa, exatamente como no voo.': 'Code of the fare, exactly as the flight has it.',
  'A moeda do total.': 'Currency of the total.',
  'Preço de um assento, no máximo; na moeda do teto.': 'The most that a seat may cost, in the currency of the ceiling.',
  'Pedidos, no máximo.': 'The most orders.',
  'O que o mandato autoriza; uma cobrança precisa de order:write e payment:execute.':
    'What the mandate covers; a charge takes order:write and payment:execute.',
  'O que mais o mandato exige de uma compra; nomes desconhecidos são recusados.':
    'What else the mandate asks of a purchase; unknown names are refused.',
  'Aeroportos de partida.': 'Airports of departure.',
  'Aeroportos de chegada.': 'Airports of arrival.',
  'Preço de um assento, no máximo.': 'The most that a seat may cost.',
  'Pedidos pagos ou em andamento, no máximo.': 'The most orders, paid or under way.',
  'Segundos até o fim da validade; 0 depois dela.': 'Seconds to the end of its validity; 0 after it.',
  'Relativo à base da API.': 'Relative to the address of the API.',
  'A página em que o viajante decide.': 'The page on which the traveller decides.',
  'Até quando ele pode decidir.': 'Until when they may decide.',
  'Intervalo, em segundos, para perguntar de novo.': 'Seconds after which to ask again.',
  'Teto de gasto.': 'Ceiling of what may be spent.',
  'Já cobrado.': 'Charged already.',
  'Separado para pedidos em andamento.': 'Set aside for orders under way.',
  'Ainda disponível.': 'Still available.',
  'O que mais o mandato exige de uma compra; vazio: nada.': 'What else the mandate asks of a purchase; empty: nothing.',
  'Quem decidiu abri-lo: o viajante ou, dentro do limite, o agente.':
    'Who decided to open it: the traveller or, within the cap, the agent.',
  'Só enquanto espera a decisão do viajante.': 'Only while it waits for the traveller to decide.',
  'Limite total que o viajante definiu para este agente.': 'The cap that the traveller put on this agent.',
  'Inclui os mandatos abertos e o que já foi gasto desde que o viajante definiu o primeiro limite.':
    'Open mandates, and what was spent since the traveller set the first cap.',
  'Quanto ainda cabe em novos mandatos.': 'How much is left for new mandates.',
  'Limite do agente que pergunta; null: não há.': 'Cap of the agent that asks; null: there is none.',
  'Lugar do evento no mandato; o primeiro é 0.': 'Place of the event in the mandate; the first is 0.',
  'O agente que agiu; null: o próprio sistema.': 'The agent that acted; null: the service itself.',
  'Disponível depois do evento.': 'Available after the event.',
  'Por que uma cobrança foi recusada.': 'Why a charge was refused.',
  'A cobrança que o mandato recusou; null: outro evento.': 'The charge that the mandate refused; null: another event.',
  'O que foi recusado e por quê, em uma frase.': 'What was refused and why, in a sentence.',
  'Aeroporto de partida.': 'Airport of departure.',
  'Aeroporto de chegada.': 'Airport of arrival.',
  'Preço de um assento.': 'Price of one seat.',
  'A condição do mandato que a compra não cumpre.': 'The condition of the mandate that the purchase does not meet.',
  'O que essa condição permite.': 'What that condition allows.',
  'SHA-256 que encadeia o evento ao anterior.': 'SHA-256 that chains the event to the one before.',
  'O hash do evento anterior deste mandato; do primeiro, 64 zeros.':
    'The hash of the event before in this mandate; of the first, 64 zeros.',
  'Lugar do evento no registro de transparência ({site_url}/tlog); null por cerca de um segundo.':
    'Place of the event in the transparency log ({site_url}/tlog); null for about a second.',
  'MM/AA, MM/AAAA ou AAAA-MM.': 'MM/YY, MM/YYYY or YYYY-MM.',
  'Se o total for outro, o pedido é recusado.': 'Where the total is another, the order is refused.',
  'Só de um pedido que falhou: o código do erro que diz por quê.':
    'Only of an order that failed: the code of the error that says why.',
  'O pedido.': 'The order.',

  // Tools and traffic.
  'O nome da ferramenta, como no manifesto.': 'The name of the tool, as in the manifest.',
  'Os argumentos, na forma do inputSchema da ferramenta.': 'The arguments, as the inputSchema of the tool has them.',
  'Presente se ela parou em um evento que este programa não consegue ler.':
    'Present if it has stopped at an event that this program cannot read.',
  'Segundos desde o evento mais antigo que ainda falta nela; 0: nenhum.':
    'Seconds since the oldest event that it still lacks; 0: none.',
  'Chamadas respondidas.': 'Calls that were answered.',
  'errors ÷ requests; 0 sem chamadas.': 'errors ÷ requests; 0 without calls.',
  'Agentes distintos: por cliente, sem token por site cuja assinatura confere, senão por endereço e família a cada dia. Não depende do filtro operation.':
    'Distinct agents: by client; without a token, by the site whose signature is right, else by address and family of each day. The filter operation does not matter.',
  'Milissegundos, com erro relativo de até 2 %; null sem chamadas.':
    'Milliseconds, with a relative error of up to 2 %; null without calls.',
  'Famílias com menos de 5 agentes no dia (UTC) ou no período contam em other.':
    'Families of fewer than 5 agents in the day (UTC) or the period count as other.',
  'Chamadas bem-sucedidas de cada etapa.': 'Calls of each stage that succeeded.',
  'Conferem com uma chave que o site do agente publica.': 'Right by a key that the site of the agent publishes.',
  'Não puderam ser conferidas; contam como sem assinatura.': 'Could not be checked; they count as unsigned.',
  'Não conferem.': 'Wrong.',
  'Chamadas assinadas pelo agente (Web Bot Auth), pelo resultado da conferência.':
    'Calls that their agent signed (Web Bot Auth), by what came of checking.',
  'Cobranças que couberam no mandato e foram capturadas.': 'Charges that were within the mandate and captured.',
  'Códigos de autorização apresentados de novo.': 'Authorization codes that were presented again.',
  'Refresh tokens apresentados depois de trocados.': 'Refresh tokens that were presented after their exchange.',
  'Mandatos recusados porque passariam do limite do agente.': 'Mandates refused for the cap of their agent.',
  'Não depende do filtro operation.': 'The filter operation does not matter.',
  'De todos os agentes e operações, qualquer que seja o filtro.': 'Of all agents and operations, whatever the filter.',
  'Um ponto por bucket. Com agent, só os buckets em que a família teve 5 agentes ou mais.':
    'A point for each bucket. With agent, only the buckets in which the family had 5 agents or more.',
  'Versão do programa.': 'Version of the program.',
  'Desde quando este processo atende.': 'Since when this process serves.',
  'Status 400 ou maior: a soma de refused, limited, failed e abandoned.':
    'Status 400 or above: the sum of refused, limited, failed and abandoned.',
  'Recusadas: status 4xx, exceto 429 e 499.': 'Refused: status 4xx but 429 and 499.',
  'Limitadas: status 429.': 'Limited: status 429.',
  'Falhas nossas: status 5xx.': 'Failures of ours: status 5xx.',
  'O agente saiu antes da resposta (499).': 'The agent left before the answer (499).',
  'Agentes distintos com uma chamada bem-sucedida da etapa.':
    'Distinct agents with a call of the stage that succeeded.',
  'Destes, os que também buscaram no período.': 'Of these, those that searched in the period as well.',
  'Os mesmos agentes, da busca ao recibo.': 'The same agents, from search to receipt.',
  'Chamadas, de todos os agentes, contadas antes que se seguisse cada agente: não entram nas etapas dele.':
    'Calls of all agents that were counted before each agent was followed: they are in no stage of it.',
  'Famílias com menos de 5 agentes, no dia ou no período: suas chamadas contam em other. 0 com agent de uma família. Não depende do filtro operation.':
    'Families of fewer than 5 agents, in the day or the period: their calls count as other. 0 with the agent of a family. The filter operation does not matter.',
  'Textos livres do agente, que só ele vê: até 50, com nomes de até 40 caracteres. Um texto vazio apaga o nome. Nada de senhas ou dados de cartão.':
    'Free texts of the agent, which it alone sees: up to 50, with names of up to 40 characters. An empty text deletes its name. No passwords or card data.',
  'Os textos que este agente guardou aqui; vazio para qualquer outro.':
    'The texts that this agent noted here; empty to any other.',
};
