import 'reflect-metadata';
import { Controller, Get, Header, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

/** The other peer of the reads: Nest on Fastify with one route and nothing else, sending the bytes on standard input. */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const body = Buffer.concat(chunks);

@Controller()
class BytesController {
  @Get('*path')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('etag', '"the same"')
  get(): Buffer {
    return body;
  }
}

@Module({ controllers: [BytesController] })
class BytesModule {}

const app = await NestFactory.create<NestFastifyApplication>(BytesModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());
