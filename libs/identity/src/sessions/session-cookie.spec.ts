import { describe, expect, it } from '@jest/globals';
import { baseUrlsAt } from '#http';
import { newSecret } from '../secrets.js';
import { sessionCookie, sessionIdIn } from './session-cookie.js';

const id = newSecret();
const plain = baseUrlsAt('http://127.0.0.1:3000');
const secure = baseUrlsAt('https://alcada.example');

describe('the session cookie', () => {
  it('is out of reach of scripts and other sites', () => {
    expect(sessionCookie(id, plain)).toBe(`alcada_session=${id}; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax`);
  });

  it('is bound to host and https where there is https', () => {
    expect(sessionCookie(id, secure)).toBe(
      `__Host-alcada_session=${id}; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure`,
    );
  });

  it('is found among others', () => {
    expect(sessionIdIn(`a=b; alcada_session=${id}; c=d`, plain)).toBe(id);
    expect(sessionIdIn(`__Host-alcada_session=${id}`, secure)).toBe(id);
  });

  it.each([undefined, '', 'alcada_session=', `xalcada_session=${id}`, `alcada_session=${id}x`, 'alcada_session=../x'])(
    'is not read from %j',
    (cookies) => {
      expect(sessionIdIn(cookies, plain)).toBeNull();
    },
  );

  it('without the prefix is not taken over https', () => {
    expect(sessionIdIn(`alcada_session=${id}`, secure)).toBeNull();
  });
});
