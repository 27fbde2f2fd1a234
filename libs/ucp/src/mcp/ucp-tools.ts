import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Asking } from '../asking.js';
import { lookupInput, productInput, searchInput } from '../catalog/catalog-input.js';
import { UcpCatalog } from '../catalog/ucp-catalog.js';
import { CheckoutSessions } from '../checkout/checkout-sessions.js';
import type { Write } from '../checkout/repeatable-writes.js';
import { checkoutForm, completionForm } from '../checkout/session-requests.js';
import { parsedAs } from '../invalid-request.js';
import { UcpOrders } from '../order/ucp-orders.js';
import { CATALOG_LOOKUP, CATALOG_SEARCH, CHECKOUT, ORDER } from '../versions.js';

const meta = z.object({
  'ucp-agent': z.object({ profile: z.string() }),
  'idempotency-key': z.string().min(1).max(255).optional(),
});
/** A completion and a cancellation are sent again under their key (UCP, Checkout MCP Binding). */
const keyed = meta.required({ 'idempotency-key': true });
const id = z.string().max(100);

/** An operation of UCP as a tool (UCP, MCP Binding). */
export interface UcpTool {
  readonly name: string;
  readonly description: string;
  readonly capability: string;
  readonly input: z.ZodObject<{ meta: z.ZodType }>;
  readonly run: (asking: Asking, given: unknown, write: Write) => Promise<object>;
}

/** The tools of `{site_url}/ucp/mcp`: the operations that REST has. */
@Injectable()
export class UcpTools {
  readonly all: readonly UcpTool[];
  /** As MCP lists them. */
  readonly listed: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: { type: 'object' };
  }[];

  constructor(catalog: UcpCatalog, sessions: CheckoutSessions, orders: UcpOrders) {
    const tool = <Shape extends { meta: z.ZodType }>(
      name: string,
      [capability, description]: readonly [string, string],
      shape: Shape,
      run: (asking: Asking, input: z.output<z.ZodObject<Shape>>, write: Write) => Promise<object>,
    ): UcpTool => {
      const input = z.object(shape);
      return {
        ...{ name, capability, description, input },
        run: async (asking, given, write) => run(asking, parsedAs(input, given), write),
      };
    };
    this.all = [
      tool('search_catalog', [CATALOG_SEARCH, 'Busca voos à venda.'], { meta, catalog: searchInput }, (asking, input) =>
        catalog.search(asking, input.catalog),
      ),
      tool(
        'lookup_catalog',
        [CATALOG_LOOKUP, 'Lê voos e tarifas por id.'],
        { meta, catalog: lookupInput },
        (asking, input) => catalog.lookup(asking, input.catalog),
      ),
      tool(
        'get_product',
        [CATALOG_LOOKUP, 'Lê um voo com suas tarifas.'],
        { meta, catalog: productInput },
        (asking, input) => catalog.product(asking, input.catalog),
      ),
      tool(
        'create_checkout',
        [CHECKOUT, 'Começa uma compra.'],
        { meta, checkout: checkoutForm },
        (asking, input, write) => sessions.create(asking, input.checkout, write),
      ),
      tool('get_checkout', [CHECKOUT, 'Lê uma compra.'], { meta, id }, (asking, input) =>
        sessions.get(asking, input.id),
      ),
      tool(
        'update_checkout',
        [CHECKOUT, 'Substitui o que uma compra diz.'],
        { meta, id, checkout: checkoutForm },
        (asking, input, write) => sessions.update(asking, input.id, input.checkout, write),
      ),
      tool(
        'complete_checkout',
        [CHECKOUT, 'Conclui uma compra: cobra e emite os bilhetes.'],
        { meta: keyed, id, checkout: completionForm },
        (asking, input, write) => sessions.complete(asking, input.id, input.checkout, write),
      ),
      tool(
        'cancel_checkout',
        [CHECKOUT, 'Desiste de uma compra ainda não concluída.'],
        { meta: keyed, id },
        (asking, input, write) => sessions.cancel(asking, input.id, write),
      ),
      tool('get_order', [ORDER, 'Lê um pedido como está agora.'], { meta, id }, (asking, input) =>
        orders.get(asking, input.id),
      ),
    ];
    this.listed = this.all.map(({ name, description, input }) => ({
      ...{ name, description },
      inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as { type: 'object' },
    }));
  }
}
