import { posix, win32 } from 'node:path';

type Functions = Readonly<Record<string, unknown>>;

/** What Windows does not have in the name of a file: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const reserved = /[<>:"|?*\p{Cc}]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/iu;

/** Returns where a folder of this machine has the file of a path of Windows. @throws Error for what Windows has not */
export function placeOf(path: string, disk: string): string {
  const pipe = /^\\\\\.\\pipe\\([^\\]+)$/.exec(path)?.[1];
  if (pipe !== undefined) return posix.join(disk, pipe);
  const { root, dir, base } = win32.parse(path);
  if (!/^[A-Z]:\\$/.test(root)) throw Object.assign(new Error(`no ${path}`), { code: 'ENOENT' });
  const names = [...dir.slice(root.length).split(/[\\/]/), base].filter((name) => name !== '');
  const wrong = names.find((name) => reserved.test(name));
  if (wrong !== undefined) throw new Error(`Windows cannot name a file ${wrong}`);
  return posix.join(disk, root.slice(0, 1), ...names);
}

/** Returns functions of `node:fs` that take paths of Windows, whose files are in a folder. */
export function onDisk(functions: Functions, disk: string): Record<string, unknown> {
  const entries = Object.entries(functions).map(([name, value]) => {
    if (typeof value !== 'function' || /^[A-Z]/.test(name)) return [name, value] as const;
    const call = (path: unknown, ...rest: unknown[]): unknown => {
      if (typeof path !== 'string') return Reflect.apply(value, functions, [path, ...rest]);
      if (name.startsWith('rename')) rest[0] = placeOf(String(rest[0]), disk);
      return Reflect.apply(value, functions, [placeOf(path, disk), ...rest]);
    };
    return [name, call] as const;
  });
  return Object.fromEntries(entries);
}
