/** Where progress is shown: a terminal redraws its last line, anything else gets new lines. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;

/** Shows progress from 0 to 1: as a bar on a terminal, otherwise as a line for every tenth. */
export const progressLine = (label: string, screen: Screen): ((done: number) => void) => {
  let shown = -1;
  return (done) => {
    const percent = Math.floor(done * 100);
    const step = screen.isTTY ? percent : Math.floor(percent / 10) * 10;
    if (step <= shown) return;
    shown = step;
    screen.write(screen.isTTY ? bar(label, step) : `${label}: ${step} %\n`);
  };
};

const bar = (label: string, percent: number): string => {
  const filled = Math.round((percent / 100) * WIDTH);
  const drawn = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  return `\r${label}  ${drawn}  ${percent.toString().padStart(3)} %${percent === 100 ? '\n' : ''}`;
};
