import { FileTypeValidator } from '@nestjs/common';
import fastify from 'fastify';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

describe('a package that package.json replaces by a version for Node 20 does what it is there for', () => {
  it('cookie: a request that is injected carries cookies', async () => {
    const server = fastify();
    server.get('/', ({ headers }) => headers.cookie);
    const { body } = await server.inject({ url: '/', cookies: { one: '1', other: 'dois e três' } });
    expect(body).toBe('one=1; other=dois%20e%20tr%C3%AAs');
    await server.close();
  });

  it('file-type: a file is known by its first bytes', async () => {
    const validator = new FileTypeValidator({ fileType: 'image/png' });
    expect(await validator.isValid({ buffer: PNG, mimetype: 'image/png', size: PNG.length })).toBe(true);
    expect(await validator.isValid({ buffer: Buffer.alloc(99), mimetype: 'image/png', size: 99 })).toBe(false);
  });
});
