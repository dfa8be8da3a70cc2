import fc from 'fast-check'

/** The first code point that is half of a surrogate pair, and no character; and the number of such code points. */
const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/**
 * Any character of Unicode, as the unit of `fc.string`. fast-check's own unit `binary` has the same characters, but
 * first makes a table of all 1.1 million of them, which takes a second in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES)
  .map((n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES), numberOf)

/** The inverse of the map. fast-check needs it for texts that often find errors, such as `__proto__`. */
function numberOf(character: unknown): number {
  const codePoints = typeof character === 'string' ? [...character].map((one) => one.codePointAt(0)!) : []
  const [codePoint] = codePoints
  if (codePoint === undefined || codePoints.length > 1) throw new TypeError(`"${character}" is not one character`)
  return codePoint < FIRST_SURROGATE ? codePoint : codePoint - SURROGATES
}
