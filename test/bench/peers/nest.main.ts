import 'reflect-metadata';
import { BadRequestException, Body, Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsInt, IsString, Max, Min, validate } from 'class-validator';

/** A peer of ours: Nest on Fastify with one read and one POST, which answer what is on standard input and do nothing. */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const { read, created } = JSON.parse(Buffer.concat(chunks).toString()) as {
  readonly read: object;
  readonly created: object;
};

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
  @Get('flights/:flightNumber')
  flight(@Param('flightNumber') _flightNumber: string): object {
    return read;
  }

  @Post('bookings')
  @HttpCode(201)
  async book(@Body() body: object): Promise<object> {
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
