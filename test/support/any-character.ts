import fc from 'fast-check'

/** Code points from here on, `SURROGATES` of them, are halves of surrogate pairs and no characters. */
const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/**
 * Any character of Unicode, as the unit of `fc.string`. fast-check's own unit `binary` has the same characters, but
 * first makes a table of all 1.1 million of them, which takes a second in each process.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES)
  .map((n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES), numberOf)

/** fast-check needs the way back to use a text that is likely to find errors, such as `__proto__`. */
function numberOf(character: unknown): number {
  const codePoints = typeof character === 'string' ? [...character].map((one) => one.codePointAt(0)!) : []
  const [codePoint] = codePoints
  if (codePoint === undefined || codePoints.length > 1) throw new TypeError(`"${character}" is not one character`)
  return codePoint < FIRST_SURROGATE ? codePoint : codePoint - SURROGATES
}
