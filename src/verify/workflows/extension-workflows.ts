import type { ApiEndpoint } from '../../engine/definition/api.ts';
import type { Workflow } from '../../engine/definition/workflow.ts';
import { rowStep } from './row-step.ts';

/**
 * Returns a workflow for each resource that an extension has added: it creates a record, reads it, changes it, and deletes it,
 * with the parameters of the examples.
 */
export function extensionWorkflows(rows: readonly ApiEndpoint[]): Workflow[] {
  const extensionRows = rows.filter(({ isExtension }) => isExtension === true);
  return extensionRows.flatMap((create) => {
    const { method, path } = create;
    const [read, change, remove] = ['GET', 'PATCH', 'DELETE'].map((one) =>
      extensionRows.find((row) => row.method === one && row.path === `${path}:id`),
    );
    if (method !== 'POST' || !read || !change || !remove) return [];
    const of = { id: '$steps.create.outputs.id' };
    return [
      {
        id: path.split('/')[2] ?? path,
        summary: `The life of a record of ${path}`,
        description: `${create.summary}, read it, change it, and delete it.`,
        inputs: {},
        isExtension: true as const,
        steps: [
          { ...rowStep(create, 'create'), outputs: { id: '/id' } },
          { ...rowStep(read, 'read'), path: of },
          { ...rowStep(change, 'change'), path: of },
        ],
        cleanUp: [{ ...rowStep(remove, 'delete'), path: of }],
      },
    ];
  });
}
