import { defineApi, field, resource } from '../../src/define.ts';

/** A second API: the engine knows nothing of it. */
export const todoApi = defineApi({
  name: 'todo',
  description: 'A todo list',
  resources: {
    todos: resource({
      singular: 'todo',
      fields: { title: field.text({ min: 2 }), done: field.flag({ default: false }) },
    }),
  },
  scenarios: {
    default: {
      data: {
        todos: [
          { title: 'Read', done: true },
          { title: 'Write', done: false },
        ],
      },
    },
  },
});
