/** Where metrics are served. */
export interface MetricsSettings {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
}

/** Where traces are sent, and which. */
export interface TracesSettings {
  /** Address that takes OTLP over HTTP, in JSON. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long (ms) the collector may take for a batch. */
  readonly timeout: number;
  /** Name of the service; null: that of the program. */
  readonly service: string | null;
  /** What else is said of the process. */
  readonly resource: Readonly<Record<string, string>>;
  /** Share of the traces that are recorded, 0 to 1. */
  readonly share: number;
}

/** What is told of a process; null: nothing. */
export interface TelemetrySettings {
  readonly metrics: MetricsSettings | null;
  readonly traces: TracesSettings | null;
}
