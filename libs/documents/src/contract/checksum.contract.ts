import { CorruptDocument, type Documents } from '../documents.port.js';

export interface Damage {
  readonly id?: string;
  readonly version?: number;
  readonly body?: string;
}

export interface DamageableStore {
  readonly store: Documents;
  /** Changes the document `a` of the collection `ledger`; returns the store to read it from. */
  readonly damage: (damage: Damage) => Promise<Documents>;
}

/** Every adapter that writes to a disk notices when what it reads is not what it wrote. `open`: with nothing in it. */
export const checksumContract = (name: string, open: () => Promise<DamageableStore>): void => {
  describe(`the checksum of a document in ${name}`, () => {
    const ledger = { name: 'ledger', indexes: [] };

    it.each<[what: string, damage: Damage]>([
      ['another body', { body: '{"writer":2}' }],
      ['the version of another write', { version: 3 }],
      ['another id', { id: 'b' }],
      ['a body that is no JSON any more', { body: '{' }],
    ])('tells by collection and id which document has %s', async (_, change) => {
      const { store, damage } = await open();
      await store.prepare(ledger);
      await store.insert('ledger', 'a', { writer: 1 });
      await store.insert('ledger', 'whole', { writer: 1 });
      await store.replace('ledger', 'whole', 1, { writer: 2 });
      const damaged = await damage(change);
      await damaged.prepare(ledger);
      const { id = 'a' } = change;
      const reading = damaged.get('ledger', id);
      await expect(reading).rejects.toThrow(CorruptDocument);
      await expect(reading).rejects.toThrow(`ledger: the document ${id} is damaged`);
      expect(await damaged.get('ledger', 'whole')).toMatchObject({ version: 2, body: { writer: 2 } });
      await damaged.close();
    });
  });
};
