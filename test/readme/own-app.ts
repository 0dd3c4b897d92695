import { createBackOffice } from 'backlot';
import { createExpressRouter } from 'backlot/express';
import express from 'express';

const app = express();
app.get('/hello', (_request, response) => {
  response.send('from your own app');
});
app.use('/backend', createExpressRouter(createBackOffice({ scenario: 'sale' })));
app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
