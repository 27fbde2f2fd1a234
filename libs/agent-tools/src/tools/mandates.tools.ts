import { CreateMandateDto, mandateOperation, MandateView, revokedMandate } from '#mandate';
import { schemaOf } from '#http';
import { CHANGES, CREATES, fromBody, scopedTool } from '../tool.js';
import { MandateArguments } from './arguments.dto.js';

/** Payment mandates (docs/interface.md, endpoints 8 and 9). */
export const MANDATE_TOOLS = [
  scopedTool({
    name: 'create_mandate',
    title: 'Criar um mandato de pagamento',
    description:
      'Cria um mandato: até que valor, em centavos de uma moeda, e por quantos minutos este agente pode cobrar do ' +
      'viajante. Nenhuma cobrança é feita sem um mandato válido. Se a resposta vier com status "pending", leve o viajante a ' +
      'approval.url e compre só depois que ele permitir. Um mandato concedido na autorização (authorization_details) já ' +
      'existe: use o mandateId que veio com o token.',
    annotations: CREATES,
    scopes: ['mandate:create'],
    input: fromBody(CreateMandateDto),
    outputSchema: schemaOf(MandateView),
    run: (body, call) => call.create(mandateOperation(call, body, call)),
  }),
  scopedTool({
    name: 'revoke_mandate',
    title: 'Revogar um mandato',
    description: 'Revoga um mandato antes do fim: depois da resposta nada mais é cobrado por ele.',
    annotations: CHANGES,
    scopes: ['mandate:create'],
    input: fromBody(MandateArguments),
    outputSchema: schemaOf(MandateView),
    run: ({ mandateId }, call) => revokedMandate(call, mandateId, call),
  }),
] as const;
