import http from 'node:http';
import { text } from 'node:stream/consumers';
import { request as octokit } from '@octokit/request';
import axios from 'axios';
import got from 'got';
import { gql, GraphQLClient } from 'graphql-request';
import nodeFetch from 'node-fetch';
import OpenAI from 'openai';
import createClient from 'openapi-fetch';
import { fetch as undiciFetch, request as undiciRequest } from 'undici';

/** Reads two fields; the tests assert one of them. */
function lineOf({ title, done }) {
  return done ? `${title}!` : title;
}

/** Clients that send by `node:http`. */
export const overHttp = {
  axios: async (url) => lineOf((await axios.get(url)).data),
  got: async (url) => lineOf(await got(url).json()),
  'node-fetch': async (url) => lineOf(await (await nodeFetch(url)).json()),
  http: (url) =>
    new Promise((resolve, reject) => {
      http
        .get(url, (response) => text(response).then((body) => resolve(lineOf(JSON.parse(body)))))
        .on('error', reject);
    }),
};

export const overUndici = {
  'undici.request': async (url) => lineOf(await (await undiciRequest(url)).body.json()),
  'undici.fetch': async (url) => lineOf(await (await undiciFetch(url)).json()),
};

/** Clients that have a `fetch` of their own, and what it responds with. */
export const withFetch = {
  openai: {
    todo: { id: 'Work', owned_by: true },
    async line(fetch) {
      const { models } = new OpenAI({ apiKey: 'key', fetch });
      const { id, owned_by: done } = await models.retrieve('todo');
      return lineOf({ title: id, done });
    },
  },
  octokit: {
    todo: { name: 'Work', private: true },
    async line(fetch) {
      const { data } = await octokit('GET /repos/a/b', { request: { fetch } });
      return lineOf({ title: data.name, done: data.private });
    },
  },
  'openapi-fetch': {
    todo: { title: 'Work', done: true },
    async line(fetch) {
      const { data } = await createClient({ baseUrl: 'https://todos.test', fetch }).GET('/todos/7');
      return lineOf(data);
    },
  },
};

export async function lineByGraphQl() {
  const client = new GraphQLClient('https://todos.test/graphql');
  const { todo } = await client.request(gql`
    query GetTodo {
      todo {
        title
        done
      }
    }
  `);
  return lineOf(todo);
}
