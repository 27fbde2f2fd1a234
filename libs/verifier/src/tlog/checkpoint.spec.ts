import { hex, Malformed } from '../bytes.js';
import { formatCheckpoint, parseCheckpoint } from './checkpoint.js';
import { parseNote } from './note.js';

const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
/** The example of C2SP tlog-checkpoint. */
const EXAMPLE =
  `example.com/behind-the-sofa\n20852163\n${ROOT}\n\n` +
  '— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n';

describe('a checkpoint', () => {
  it('states origin, size and root', () => {
    const { text } = parseNote(EXAMPLE);
    const checkpoint = parseCheckpoint(text);
    expect({ ...checkpoint, root: hex(checkpoint.root) }).toEqual({
      origin: 'example.com/behind-the-sofa',
      size: 20852163,
      root: '0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62',
    });
    expect(formatCheckpoint(checkpoint)).toBe(text);
  });

  it('may have further lines', () => {
    expect(parseCheckpoint(`a\n0\n${ROOT}\nmore\n`)).toMatchObject({ origin: 'a', size: 0 });
  });

  it.each([
    ['no origin', `\n1\n${ROOT}\n`],
    ['no root', 'a\n1\n'],
    ['no newline at its end', `a\n1\n${ROOT}`],
    ['an empty line', `a\n1\n${ROOT}\n\nmore\n`],
    ['a size with a leading zero', `a\n01\n${ROOT}\n`],
    ['a size nobody can count', `a\n9007199254740993\n${ROOT}\n`],
    ['a short root', 'a\n1\nCsUYag==\n'],
  ])('does not have %s', (_, text) => expect(() => parseCheckpoint(text)).toThrow(Malformed));
});
