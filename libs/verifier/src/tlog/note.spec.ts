import { nodeCrypto } from '#transparency';
import { base64, Malformed } from '../bytes.js';
import {
  formatVerifierKey,
  parseNote,
  parseSignatures,
  parseVerifierKey,
  signatureLine,
  Unverified,
  verifyNote,
} from './note.js';

const keyOf = (vkey: string) => parseVerifierKey(vkey, nodeCrypto.sha256);
const namesOf = async (note: string, ...vkeys: readonly string[]) =>
  (await verifyNote(parseNote(note), vkeys.map(keyOf), nodeCrypto)).map(({ name }) => name);

describe('the example of the specification', () => {
  const vkey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
  const note =
    'This is an example message.\n\n' +
    '— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';

  it('is by its key', async () => {
    expect(formatVerifierKey(keyOf(vkey))).toBe(vkey);
    expect(parseNote(note).text).toBe('This is an example message.\n');
    expect(await namesOf(note, vkey)).toEqual(['example.com/foo']);
  });

  it('is not once its text is another', async () => {
    await expect(namesOf(note.replace('example', 'exemple'), vkey)).rejects.toThrow(Unverified);
  });
});

/** The vectors of Go's `sumdb/note` (golang.org/x/mod, note_test.go). */
describe('the vectors of sumdb/note', () => {
  const peterKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
  const enochKey = 'EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop';
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const peter =
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
  const enoch =
    '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';
  const damaged = `${peter.slice(0, 60)}ABCD${peter.slice(60)}`;

  it('are verified by whoever knows a key, and other signatures ignored', async () => {
    const note = `${text}\n${peter}${enoch}`;
    expect(await namesOf(note, peterKey)).toEqual(['PeterNeumann']);
    expect(await namesOf(note, enochKey, peterKey)).toEqual(['EnochRoot', 'PeterNeumann']);
    await expect(namesOf(note)).rejects.toThrow(Unverified);
  });

  it('are written as they are read', () => {
    expect(parseNote(`${text}\n${peter}${enoch}`).signatures.map(signatureLine).join('')).toBe(peter + enoch);
    expect(parseSignatures(peter)).toEqual(parseNote(`${text}\n${peter}`).signatures);
  });

  it('are refused as a whole for a signature of a known key that is none', async () => {
    await expect(namesOf(`${text}\n${damaged}${enoch}`, peterKey, enochKey)).rejects.toThrow('PeterNeumann');
    await expect(namesOf(`${text}\n${peter}${damaged}`, peterKey)).rejects.toThrow(Unverified);
    expect(await namesOf(`${text}\n${damaged}${enoch}`, enochKey)).toEqual(['EnochRoot']);
  });

  it.each([
    ['no signature', text],
    ['nothing after the empty line', `${text}\n`],
    ['no newline at the end', `${text}\n${peter.slice(0, -1)}`],
    ['a control character', `\x01${text}\n${peter}`],
    ['a key name with a space', `${text}\n— Bad Name ${peter.slice(15)}`],
    ['a key name with a space of Unicode', `${text}\n— Bad\u2003Name ${peter.slice(15)}`],
    ['a key name with a plus', `${text}\n— Bad+Name ${peter.slice(15)}`],
    ['a line that is no signature', `${text}\n${peter}Unexpected line.\n`],
    ['a signature of no more than an id', `${text}\n— Name x08gow==\n`],
    ['more than a hundred signatures', `${text}\n${peter.repeat(101)}`],
  ])('are no notes with %s', (_, note) => expect(() => parseNote(note)).toThrow(Malformed));

  it('have a key of which not a character can be changed or missing', () => {
    expect(formatVerifierKey(keyOf(peterKey))).toBe(peterKey);
    for (let at = 0; at < peterKey.length; at += 1) {
      const next = String.fromCharCode(peterKey.charCodeAt(at) + 1);
      expect(() => keyOf(peterKey.slice(0, at) + next + peterKey.slice(at + 1))).toThrow(Malformed);
      expect(() => keyOf(peterKey.slice(at + 1))).toThrow(Malformed);
      expect(() => keyOf(peterKey.slice(0, at))).toThrow(Malformed);
    }
  });

  it.each([
    ['of another length', 'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY=='],
    ['of an unknown algorithm', 'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW'],
  ])('have no key %s', (_, vkey) => expect(() => keyOf(vkey)).toThrow(Malformed));
});

describe('a note without text', () => {
  it('is one, and its last empty line ends it', () => {
    const line = `— a ${base64(Uint8Array.of(0, 0, 0, 1, 2))}\n`;
    expect(parseNote(`\n\n${line}`).text).toBe('\n');
    expect(parseNote(`a\n\nb\n\n${line}`)).toEqual({
      text: 'a\n\nb\n',
      signatures: [{ name: 'a', keyId: '00000001', signature: Uint8Array.of(2) }],
    });
  });
});
