import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { Followed, RELIED_ON } from './followed.js';
import { openMandates } from './testing/open-mandates.projection.js';

describe('a read model that is followed', () => {
  it('is read while the store tells which collection it is, and not on an old word of it', () => {
    const followed = new Followed(openMandates, 'open-mandates-v1-1');
    expect(followed.collection).toBe('open-mandates-v1-1');
    followed.hear('open-mandates-v1-1', performance.now() - RELIED_ON - 1);
    expect(() => followed.collection).toThrow(new DomainError('service_unavailable'));
    followed.hear('open-mandates-v1-2', performance.now());
    expect(followed.collection).toBe('open-mandates-v1-2');
  });
});
