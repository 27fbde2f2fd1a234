import { Module } from '@nestjs/common';
import { FlightAnswers } from './flight-answers.js';
import { FlightDocuments } from './flight-documents.js';
import { FlightsController } from './flights.controller.js';

@Module({ controllers: [FlightsController], providers: [FlightAnswers, FlightDocuments], exports: [FlightDocuments] })
export class CatalogModule {}
