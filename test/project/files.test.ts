import { expect, test } from 'vitest';
import { committed, read } from '../support/tree.ts';

const files = committed();

test('Windows can check out every file', () => {
  const device = /(^|\/)(con|prn|aux|nul|com\d|lpt\d)(\.[^/]*)?(\/|$)/i;
  const refused = files.filter((path) => /[<>:"|?*\\]|[. ](\/|$)/.test(path) || device.test(path));
  expect(refused).toEqual([]);
  const byName = Map.groupBy(files, (path) => path.toLowerCase());
  expect(Array.from(byName.values()).filter(({ length }) => length > 1)).toEqual([]);
});

test('no file contains a path of the machine it was written on', () => {
  // In pieces, so that this file does not find itself.
  const words = [
    ['/wo', 'rk/'],
    ['sha', 'red/'],
    ['/ro', 'ot/'],
    ['/home', '/'],
    ['/tmp/', 'notes'],
    ['regi', 'stry.'],
  ];
  const strangers = files.flatMap((path) => {
    const text = read(path);
    return (
      words
        // `./home/` and `studio/home/` are a folder of the sources.
        .filter((word) => text.replaceAll(/\.\/|studio\/home\//g, '').includes(word.join('')))
        .map((word) => [path, word.join('')])
    );
  });
  expect(strangers).toEqual([]);
});

test('the lock file contains no registry host, and every package that is bundled or only used here has an exact version', () => {
  expect(read('package-lock.json')).not.toContain('"resolved"');
  const { devDependencies, inlinedDependencies } = JSON.parse(read('package.json'));
  const versions = Object.entries<string>({ ...devDependencies, ...inlinedDependencies });
  expect(
    versions.filter(([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version)),
  ).toEqual([]);
});
