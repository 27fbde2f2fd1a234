import type { AgentListItem, Pause } from '#mandate';
import type { Session } from '#identity';
import { type PauseAll, pauseAllPart } from './pause-all.js';

const held = { revokedAt: null, delegation: { openMandates: {}, pauseOfAll: { pause: 1, isOn: true } } };
const after = { pause: 1, phase: 'resumed', since: '2026-01-31T12:00:00.000Z' } satisfies Pause;
const content = {
  pause: after,
  agents: [held as unknown as AgentListItem],
  session: { id: 'sessao' } as Session,
  urls: { site: 'http://127.0.0.1', api: 'http://127.0.0.1/api/v1' },
} as unknown as PauseAll;

const textOf = (change: Partial<PauseAll>): string => {
  const part = pauseAllPart({ ...content, ...change });
  return part === false
    ? ''
    : part.text
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
};

describe('the way to pause everything, and back', () => {
  it('says that a resumption did not end while an agent still stands still', () => {
    expect(textOf({})).toBe('A retomada não terminou: ainda há agentes em pausa. Retomar tudo');
  });

  it('leaves that out where it has just ended, which the list of agents may not tell yet', () => {
    expect(textOf({ isResumed: true })).toBe('Pausar tudo…');
  });
});
