import { createServer } from 'node:http';
import express from 'express';
import { createExpressRouter } from '../../src/adapters/express.ts';
import { openBackOffice } from '../../src/back-office.ts';
import { measured } from './measured.ts';

const backOffice = openBackOffice();
const app = express().disable('x-powered-by').use(createExpressRouter(backOffice));
measured(createServer(app));
