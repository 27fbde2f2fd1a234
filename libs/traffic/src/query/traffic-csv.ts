import type { AgentTrafficView } from './agent-traffic.view.js';

type Row = readonly (string | number | null)[];

const HEADER: Row = ['section', 'name', 'measure', 'value'];

/**
 * The answer as a table of figures (RFC 4180), a line a figure: the section of the JSON it stands in, what it is of, what
 * it measures. Nothing in it needs quoting: names are ours, and so is no formula of a spreadsheet.
 */
export const trafficCsv = (view: AgentTrafficView): string => {
  const rows = [HEADER, ...windowRows(view), ...sections(view), ...seriesRows(view)];
  return rows.map((row) => `${row.map((cell) => cell ?? '').join(',')}\r\n`).join('');
};

const windowRows = ({ generatedAt, window }: AgentTrafficView): readonly Row[] => [
  ['generatedAt', '', '', generatedAt],
  ...Object.entries(window).map(([name, value]): Row => ['window', '', name, value as string | number]),
];

const sections = ({
  window: _window,
  generatedAt: _at,
  series: _series,
  ...view
}: AgentTrafficView): readonly Row[] => {
  const { totals, funnel, payments, security, mandates } = view;
  const { chargesRefusedByReason, ...counts } = mandates;
  return [
    ...single('totals', totals),
    ...view.byChannel.flatMap(({ channel, ...figures }) => named('byChannel', channel, figures)),
    ...view.byOperation.flatMap(({ operation, ...figures }) => named('byOperation', operation, figures)),
    ...view.byStatus.flatMap(({ status, ...figures }) => named('byStatus', String(status), figures)),
    ...view.byErrorCode.flatMap(({ error, ...figures }) => named('byErrorCode', error, figures)),
    ...view.byAgentFamily.flatMap(({ family, ...figures }) => named('byAgentFamily', family, figures)),
    ...single('funnel', funnel),
    ...single('mandates', counts),
    ...Object.entries(chargesRefusedByReason).map(([reason, value]): Row => [
      'mandates',
      reason,
      'chargesRefused',
      value,
    ]),
    ...single('payments', payments),
    ...single('security', security),
  ];
};

const seriesRows = ({ series }: AgentTrafficView): readonly Row[] =>
  series.flatMap(({ start, ...figures }) => named('series', start, figures));

const single = (section: string, figures: object): readonly Row[] => named(section, '', figures);

const named = (section: string, name: string, figures: object): readonly Row[] =>
  Object.entries(figures as Readonly<Record<string, number | null>>).map(([measure, value]) => [
    section,
    name,
    measure,
    value,
  ]);
