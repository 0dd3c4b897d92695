import fc from 'fast-check';

const surrogates = { first: 0xd8_00, count: 0x08_00 };

/** The unit `binary` of fast-check's strings, without its table of all characters, which takes half a second to fill. */
export const anyCharacter = fc.nat(0x10_ffff - surrogates.count).map(
  (at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count),
  (text) => {
    const [character = '', ...more] = String(text);
    if (character === '' || more.length > 0) throw new Error('not one character');
    const at = character.codePointAt(0)!;
    return at < surrogates.first ? at : at - surrogates.count;
  },
);
