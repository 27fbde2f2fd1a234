import 'reflect-metadata';
import { BadRequestException, Body, Controller, Get, Header, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsInt, IsString, Max, Min, validate } from 'class-validator';

/**
 * A peer of ours: Nest on Fastify with one read, which sends the bytes of `read`, and one POST, which answers `created`;
 * both are on standard input.
 */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const { read, created } = JSON.parse(Buffer.concat(chunks).toString()) as {
  readonly read: string;
  readonly created?: object;
};
const bytes = Buffer.from(read);

class BookingDto {
  @IsString()
  readonly flightNumber: string;

  @IsString()
  readonly fareCode: string;

  @IsInt()
  @Min(1)
  @Max(9)
  readonly passengers: number;
}

@Controller()
class RoutesController {
  @Get('*path')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('etag', '"the same"')
  get(): Buffer {
    return bytes;
  }

  @Post('bookings')
  @HttpCode(201)
  async book(@Body() body: object): Promise<object | undefined> {
    const errors = await validate(Object.assign(new BookingDto(), body));
    if (errors.length > 0) throw new BadRequestException();
    return created;
  }
}

@Module({ controllers: [RoutesController] })
class PeerModule {}

const app = await NestFactory.create<NestFastifyApplication>(PeerModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());
process.once('SIGTERM', () => process.exit());
