import type { AgentListItem, Pause } from '#mandate';
import type { Session } from '#identity';
import { type PauseAll, pauseAllPage, pauseAllPart } from './pause-all.js';

const held = { revokedAt: null, delegation: { openMandates: {}, pauseOfAll: { pause: 1, isOn: true } } };
const after = { pause: 1, phase: 'resumed', since: '2026-01-31T12:00:00.000Z' } satisfies Pause;
const content = {
  pause: after,
  agents: [held as unknown as AgentListItem],
  session: { id: 'sessao' } as Session,
  urls: { site: 'http://127.0.0.1', api: 'http://127.0.0.1/api/v1' },
} as unknown as PauseAll;

const read = (text: string): string =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const textOf = (change: Partial<PauseAll>): string => {
  const part = pauseAllPart({ ...content, ...change });
  return part === false ? '' : read(part.text);
};

describe('the way to pause everything, and back', () => {
  it('says that a resumption did not end while an agent still stands still', () => {
    expect(textOf({})).toBe('A retomada não terminou: ainda há agentes em pausa. Retomar tudo');
  });

  it('leaves that out where it has just ended, which the list of agents may not tell yet', () => {
    expect(textOf({ isResumed: true })).toBe('Pausar tudo…');
  });

  it('says that a pause did not end, of which the page asks again', () => {
    const pause = { ...after, phase: 'starting' } as const;
    expect(textOf({ pause })).toBe(
      'A pausa não terminou: ainda há agentes que podem comprar. Pause de novo. Pausar tudo',
    );
    expect(read(pauseAllPage({ ...content, pause }).html)).toContain('Pausar tudo?');
  });

  it('is there for agents that may still act, whose open mandates its page counts', () => {
    const agents = (...revokedAt: readonly (string | null)[]) =>
      revokedAt.map((at) => ({ revokedAt: at, delegation: { openMandates: { m1: {} } } }) as unknown as AgentListItem);
    const [{ since }, none] = [after, { pause: 0, phase: 'none', since: null } as const];
    expect(textOf({ pause: none, agents: agents(since) })).toBe('');
    expect(textOf({ pause: none, agents: agents(since, null) })).toBe('Pausar tudo…');
    const counted = (...all: readonly (string | null)[]) =>
      read(pauseAllPage({ ...content, pause: none, agents: agents(...all) }).html);
    expect(counted(since)).toContain('Nenhum agente compra nada em seu nome.');
    expect(counted(since, null)).toContain('O seu agente não compra mais nada: o mandato aberto fica parado');
    expect(counted(null, null)).toContain(
      'Os seus 2 agentes não compram mais nada: os 2 mandatos abertos ficam parados',
    );
  });
});
