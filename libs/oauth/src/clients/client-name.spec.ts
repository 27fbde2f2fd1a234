import { shownName, travellersName } from './client-name.js';

const CLIENT = {
  name: 'Banco Azul',
  registration: 'dynamic',
  redirectUris: ['https://outro.example/cb', 'https://www.bancoazul.example/cb', 'http://127.0.0.1:8765/cb'],
} as const;

describe('a client that nobody registered', () => {
  it('is named by all hosts to which its codes went: a later one does not stand for who has an earlier', () => {
    expect(travellersName(CLIENT, 'www.bancoazul.example', 'outro.example')).toBe(
      'Banco Azul (www.bancoazul.example, outro.example, não verificado)',
    );
    expect(shownName(CLIENT, '127.0.0.1:1024', '127.0.0.1:1025')).toBe('Banco Azul (neste computador)');
  });

  it('is named by all to which it may have one go where no code is known', () => {
    expect(shownName(CLIENT)).toBe('Banco Azul (outro.example, www.bancoazul.example, neste computador)');
  });

  it('is named by the host of its document too', () => {
    const read = { ...CLIENT, registration: 'metadata', metadataUrl: 'https://agente.example/a.json' } as const;
    expect(shownName(read, 'outro.example')).toBe('Banco Azul (agente.example, outro.example)');
  });
});

describe('a client that an operator registered', () => {
  it('has its name', () => {
    const { registration: _, ...registered } = CLIENT;
    expect(travellersName(registered, 'outro.example')).toBe('Banco Azul');
  });
});
