import { pathToFileURL, fileURLToPath } from 'node:url';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { jsonLimits, parseForeignJson } from '../engine/lib/json-limits.ts';
import { isObject } from '../engine/lib/json-value.ts';
import { readText } from '../engine/lib/read-text.ts';
import { thrownMessage } from '../engine/lib/thrown.ts';
import { readForeignText } from '../mounts/node/read-file.ts';
import { ApiDocument, referredFile, type DocumentFiles } from '../suite/api-document.ts';
import { cannotRead } from './whole-file.ts';

/** Maximum time for a document, in milliseconds. */
const maxDownload = 60_000;

/** That of YAML 1.2, with the key `<<` that many documents have. */
const schema = CORE_SCHEMA.withTags(mergeTag);

/** Maximum number of files of a document. */
const maxFiles = 1000;

/**
 * Reads an OpenAPI document of JSON or YAML, with the files to which it refers.
 *
 * @param source a path or a URL
 * @throws UsageError for what is no such document
 */
export async function readApiDocument(source: string): Promise<ApiDocument> {
  const root = /^https?:/.test(source) ? source : pathToFileURL(source).href;
  try {
    return new ApiDocument(await readDocumentFiles(root));
  } catch (error) {
    throw cannotRead(source, error);
  }
}

/**
 * Reads the files of a document.
 *
 * @param root the URL of the first of them
 * @param read returns the text at a URL
 * @throws what `read` throws of the first file, ForeignTextError, or an error of a parser
 */
export async function readDocumentFiles(
  root: string,
  read: (url: string) => string | Promise<string> = textAt,
): Promise<DocumentFiles> {
  const contentOf = async (url: string): Promise<unknown> => parsedDocument(await read(url));
  const files = new Map([[root, await contentOf(root)]]);
  const open = [root];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const other of filesIn(files.get(file), file)) {
      if (files.has(other) || files.size >= maxFiles) continue;
      // A document from the network names no file of this machine.
      if (!other.startsWith('http') && root.startsWith('http')) continue;
      // What cannot be read allows everything, and is told.
      const content = await contentOf(other).catch(() => undefined);
      files.set(other, content);
      open.push(other);
    }
  }
  return files;
}

async function textAt(file: string): Promise<string> {
  const { bytes } = jsonLimits.scenario;
  if (!file.startsWith('http')) return readForeignText(fileURLToPath(file), bytes);
  const signal = AbortSignal.timeout(maxDownload);
  const response = await fetch(file, { signal });
  if (!response.ok) throw new Error(`its server responds with status ${response.status}`);
  return readText({ response, name: 'it', signal }, bytes);
}

/** Returns a document of JSON or YAML. @throws ForeignTextError, or an error of the parser */
function parsedDocument(text: string): unknown {
  return /^\uFEFF?\s*[[{]/.test(text)
    ? parseForeignJson(text, 'it', jsonLimits.scenario)
    : yamlOf(text);
}

function yamlOf(text: string): unknown {
  try {
    return load(text, { schema });
  } catch (error) {
    throw new Error(`it is neither JSON nor YAML: ${thrownMessage(error)}`, { cause: error });
  }
}

/** Returns the files to which the references of a document lead. */
function filesIn(document: unknown, file: string): Set<string> {
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const open = [document];
  for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    const { $ref } = value;
    if (typeof $ref === 'string' && !$ref.startsWith('#')) found.add(referredFile($ref, file));
    open.push(...Object.values(value));
  }
  return found;
}
