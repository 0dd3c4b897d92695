import express from 'express';

express()
  .get('/', (_request, response) => {
    response.json({ ok: true });
  })
  .listen(Number(process.argv.at(-1)), '127.0.0.1');
