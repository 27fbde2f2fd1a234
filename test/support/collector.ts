import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SentSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** How a collector answers: takes the spans, fails, or never says a word. */
export type Manner = 'takes' | 'fails' | 'hangs';

/** A collector of OTLP over HTTP, on a free port of 127.0.0.1. */
export class Collector {
  /** Every byte that was sent to it, headers and bodies. */
  received = '';
  private readonly bodies: SentTraces[] = [];
  private readonly server;

  endpoint = '';

  private constructor(private readonly manner: Manner) {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async open(manner: Manner = 'takes'): Promise<Collector> {
    const collector = new Collector(manner);
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    collector.endpoint = `http://127.0.0.1:${(collector.server.address() as AddressInfo).port}`;
    return collector;
  }

  get spans(): readonly SentSpan[] {
    return this.bodies.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
  }

  /** What was said of the process. */
  get resource(): Readonly<Record<string, unknown>> {
    return attributesOf(this.bodies[0]?.resourceSpans[0]?.resource.attributes ?? []);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.received += `${request.method ?? ''} ${request.url ?? ''}\n${JSON.stringify(request.headers)}\n${body}\n`;
    this.bodies.push(JSON.parse(body) as SentTraces);
    if (this.manner === 'hangs') return;
    response.writeHead(this.manner === 'takes' ? 200 : 500, { 'content-type': 'application/json' }).end('{}');
  }
}

export const attributesOf = (attributes: SentSpan['attributes']): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
