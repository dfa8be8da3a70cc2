/**
 * Tells by the text alone of most code that it reaches out by imports of plain names and by no other form, so that it needs no
 * tree. The text is the bundler's, which writes no letter of a name or of a string by an escape; where there is any
 * doubt, what is inside a string included, the answer is that the code has to be looked at.
 */
import { MARK } from './syntax.ts'
import { members, useOf } from './ways.ts'

/** The plain names by which code imports; undefined where it may do anything else that {@link import('./forms.ts')} finds. */
export function plainImports(code: string): string[] | undefined {
  if (NAMES.test(code)) return undefined
  if (count(code, /constructor/g) !== count(code, PLAIN_CONSTRUCTOR)) return undefined
  if (count(code, ANY_FREE) !== count(code, PLAIN_FREE)) return undefined
  const imports = [...code.matchAll(IMPORT)].map(([, loaded, named]) => loaded ?? named!)
  const exports = [...code.matchAll(EXPORT)].map(([, from]) => from)
  if (imports.length !== count(code, /\bimport\b(?!\.meta\b)/g)) return undefined
  if (exports.length !== count(code, /\bexport\s*[*{]/g)) return undefined
  const names = [...imports, ...exports.filter((from) => from !== undefined)]
  return names.some((name) => name.includes('\\') || useOf(name) !== undefined) ? undefined : names
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** The names that are forms on whatever object; every one of them is, as a member, a key or a text. */
const NAMES = new RegExp(String.raw`\b(?:${Object.keys(members).join('|')})\b`)

/** A class or an object that has a constructor, and one that is asked for its name. */
const PLAIN_CONSTRUCTOR = /(?<=[\s;{}])constructor\(|\.constructor\.name\b(?!\.)/g

const free = MARK.replace('$', '\\$')
const ANY_FREE = new RegExp(free, 'g')

/** Free names where they stand for no more than what they name: a member of the host, a timer for a function. */
const PLAIN_FREE = new RegExp(
  [
    String.raw`typeof ${free}\w+(?![\w$.[(?\`])`,
    `${free}(?:Error|Object)\\b`,
    String.raw`${free}module\.exports\b`,
    String.raw`${free}process\??\.\w+(?![\w$])`,
    String.raw`${free}(?:globalThis|global|window|self)\??\.(?!(?:globalThis|global|window|self|frames|top|parent|process|module)\b)\w+(?![\w$])`,
    String.raw`${free}set(?:Timeout|Interval)(?:(?=[,;)\]}])|\((?:(?:async )?\([\w$, ]*\) => |[\w$]+(?:\.[\w$]+)*[,)]))`,
  ].join('|'),
  'g',
)

const TEXT = String.raw`"((?:[^"\\\n]|\\.)*)"`
const IMPORT = new RegExp(String.raw`\bimport(?:\(${TEXT}\)|(?: [\w$*{][\w$*{},\s]* from)? ${TEXT};)`, 'g')
const EXPORT = new RegExp(String.raw`\bexport (?:\*(?: as [\w$]+)?|\{[\w$,\s]*\})(?: from ${TEXT})?;`, 'g')
