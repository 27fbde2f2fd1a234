import { z } from 'zod';

const NOT_PAIRS = 'must be key=value pairs, comma-separated, with percent-encoded values';

/** `key=value,key=value` with percent-encoded values (OpenTelemetry, Specifying headers via environment variables). */
const pairs = z
  .string()
  .default('')
  .transform((text, context) => {
    try {
      return Object.fromEntries(text.split(',').filter(Boolean).map(pairOf));
    } catch {
      context.addIssue({ code: 'custom', message: NOT_PAIRS });
      return z.NEVER;
    }
  });

const pairOf = (text: string): [string, string] => {
  const [, key, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=(.*)$/.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new TypeError(NOT_PAIRS);
  return [key, decodeURIComponent(value.trim())];
};

const address = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional();
const SHARE = 'must be a number from 0 to 1';

/** The variables of telemetry; those of OpenTelemetry as it specifies them. */
export const telemetryVariables = {
  METRICS_PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.literal('http/json', 'must be http/json, the one form that is sent').optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_EXPORTER_OTLP_HEADERS_FILE: z.string().min(1).optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce.number('must be milliseconds').int().min(1).default(10_000),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(SHARE).min(0, SHARE).max(1, SHARE).default(1),
};

/** Metrics and traces of the process (docs/observability.md); null: none. */
export const telemetryOf = (data: z.infer<z.ZodObject<typeof telemetryVariables>>) => ({
  metrics: data.METRICS_PORT === undefined ? null : { host: data.METRICS_HOST, port: data.METRICS_PORT },
  traces: tracesOf(data),
});

const tracesOf = (data: z.infer<z.ZodObject<typeof telemetryVariables>>) => {
  const endpoint = data.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '');
  const url = data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (endpoint && `${endpoint}/v1/traces`);
  if (url === undefined || data.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null;
  return {
    /** Address that takes OTLP over HTTP, in JSON. */
    url,
    headers: data.OTEL_EXPORTER_OTLP_HEADERS,
    /** How long (ms) the collector may take for a batch. */
    timeout: data.OTEL_EXPORTER_OTLP_TIMEOUT,
    /** Name of the service; null: that of the program. */
    service: data.OTEL_SERVICE_NAME ?? null,
    resource: data.OTEL_RESOURCE_ATTRIBUTES,
    /** Share of the traces that are recorded, 0 to 1. */
    share: shareOf(data.OTEL_TRACES_SAMPLER, data.OTEL_TRACES_SAMPLER_ARG),
  };
};

/** Every trace begins here, so a sampler based on the parent decides like the sampler of its root. */
const shareOf = (sampler: string, ratio: number): number => {
  if (sampler.endsWith('always_off')) return 0;
  return sampler.endsWith('always_on') ? 1 : ratio;
};
