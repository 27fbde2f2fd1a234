import { flawOfRedirectUri } from '../clients/redirect-uris.js';

describe('a redirect URI', () => {
  it.each([
    'https://agente.example/volta',
    'https://agente.example/',
    'https://agente.example:8443/volta?canal=1',
    'http://127.0.0.1:8765/callback',
    'http://[::1]:8765/callback',
    'http://localhost/callback',
    `https://agente.example/${'x'.repeat(1_977)}`,
  ])('%s is accepted', (uri) => {
    expect(flawOfRedirectUri(uri)).toBeNull();
  });

  it.each([
    ['volta', 'absolute'],
    ['//agente.example/volta', 'absolute'],
    ['http://agente.example/volta', 'https'],
    ['http://127.0.0.1.evil.example/', 'https'],
    ['http://127.0.0.2:1/', 'https'],
    ['javascript:alert(1)', 'https'],
    ['com.example.app:/volta', 'https'],
    ['https://agente.example/volta#', 'fragment'],
    ['https://agente.example/volta#x', 'fragment'],
    ['https://agente.example@evil.example/', 'user name'],
    ['https://:senha@agente.example/', 'user name'],
    ['https://*.agente.example/volta', 'one host'],
    ['https://chatgpt.com(verificado).evil.example/', 'one host'],
    ["https://a'b.example/", 'one host'],
    ['https://agente.example', 'https://agente.example/'],
    ['https://Agente.example/volta', 'https://agente.example/volta'],
    ['https://agente.example:443/volta', 'https://agente.example/volta'],
    ['https://agente.example/a/../volta', 'https://agente.example/volta'],
    ['https:\\\\agente.example\\volta', 'https://agente.example/volta'],
    [' https://agente.example/volta', 'https://agente.example/volta'],
    ['http://2130706433/volta', 'http://127.0.0.1/volta'],
    [`https://agente.example/${'x'.repeat(1_978)}`, 'longer'],
  ])('%s is refused', (uri, why) => {
    expect(flawOfRedirectUri(uri)).toContain(why);
  });
});
