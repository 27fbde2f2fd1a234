import { FAMILIES, familyNamed, familyOfHost } from './names.rule.js';

describe('families of agents', () => {
  it.each([
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.2; +https://openai.com/gptbot',
      'gptbot',
    ],
    ['Mozilla/5.0 AppleWebKit/537.36; compatible; ChatGPT-User/1.0; +https://openai.com/bot', 'chatgpt-user'],
    ['"https://chatgpt.com"', 'openai'],
    ['Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)', 'claudebot'],
    ['Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)', 'perplexitybot'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'googlebot'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130 Safari/537.36', 'browser'],
    ['python-requests/2.32.3', 'python'],
    ['node', 'node'],
    ['curl/8.5.0', 'curl'],
    ['Cliente piloto', 'alcada-pilot'],
    ['Agente deste navegador', 'alcada-site'],
    ['Agente de demonstração', 'alcada-demo'],
    ['alcada-demo/1.0 (alcada-pilot)', 'alcada-demo'],
  ])('know %s', (name, family) => {
    expect(familyNamed(name)).toBe(family);
    expect(FAMILIES).toContain(family);
  });

  it.each(['', 'Agente da Maria', '__proto__', 'x'.repeat(300) + 'curl/8'])('do not know the name %j', (name) => {
    expect(familyNamed(name)).toBeNull();
  });

  it.each([
    ['chatgpt.com', 'openai'],
    ['agents.claude.ai', 'anthropic'],
    ['chatgpt.com.evil.example', 'other'],
    ['evilchatgpt.com', 'other'],
    ['agente.example:8443', 'other'],
  ])('are those of whole domains where a host has signed: %s', (host, family) => {
    expect(familyOfHost(host)).toBe(family);
    expect(FAMILIES).toContain(family);
  });
});
