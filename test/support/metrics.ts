export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/;

export const samplesOf = (text: string): readonly Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
      if (name === undefined) throw new Error(`no sample: ${line}`);
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]);
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
    });

export const sumOf = (samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}) =>
  samples
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
    )
    .reduce((sum, { value }) => sum + value, 0);
