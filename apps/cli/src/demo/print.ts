/** An amount as the API answers it, in integer cents. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Writes the demo's steps: numbered headings with the results of each below. */
export class Steps {
  private step = 0;

  constructor(private readonly write: (text: string) => void) {}

  /** A heading: the step, and the call an agent makes for it. */
  begin(title: string, call: string): void {
    this.step += 1;
    this.write(`\n${this.step.toString().padStart(2)}. ${title}\n    ${call}\n`);
  }

  /** A line with a result of the step. */
  tell(line: string): void {
    this.write(`    → ${line}\n`);
  }
}

const formats = new Map<string, Intl.NumberFormat>();

/** An amount as people read it in Brazil. */
export const readable = ({ amount, currency }: Money): string => {
  const format = formats.get(currency) ?? new Intl.NumberFormat('pt-BR', { style: 'currency', currency });
  formats.set(currency, format);
  return format.format(amount / 100).replace(/\u00a0/g, ' ');
};
