/** Reads the forms of files: the text is searched first, and parsed only if it may have a form. */
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileOfInput } from '../../paths.ts'
import { openResults, type ResultStore } from '../../record/result-store.ts'
import type { Attributed } from '../attribute.ts'
import { bundledText, type Defines, isCode, isData, parseCode } from '../syntax.ts'
import { findForms } from './forms.ts'
import type { Form } from './ways.ts'
import { globals, members, modules } from './ways.ts'

/** The forms in a source text, as it is in a bundle with `defines`. The extension of `file` selects the language. */
export async function formsInText(text: string, file: string, defines: Defines = {}): Promise<readonly Form[]> {
  return mayHaveForm(text) ? parsedForms(text, file, defines) : []
}

/** Kept forms. The parser takes a second for the files of a profile, and a quarter of that to be loaded. */
export const keptForms: ResultStore<readonly Form[]> = openResults('forms')

function parsedForms(text: string, file: string, defines: Defines): Promise<readonly Form[]> {
  // Sorted, so that every profile with the same values finds the same result.
  const names = Object.keys(defines).filter((name) => text.includes(name))
  const used = Object.fromEntries(names.sort().map((name) => [name, defines[name]!]))
  return keptForms.resultFor([extname(file), text, used], async () => findForms(await parseCode(text, file, used)))
}

/** Results by the defines of a target: the proof and the account of a bundle read the same files. */
const read = new WeakMap<Defines, Map<string, Promise<readonly Form[]>>>()

/**
 * The forms in a file in or beside a bundle. Data has none. The bundler reads no imports of an asset, so an asset is
 * always parsed, if its name is that of code.
 */
export function formsInFile(
  { input, isAsset }: Pick<Attributed, 'input' | 'isAsset'>,
  defines: Defines,
): Promise<readonly Form[]> {
  const files = read.get(defines) ?? new Map<string, Promise<readonly Form[]>>()
  read.set(defines, files)
  const key = `${isAsset === true} ${input}`
  let forms = files.get(key)
  if (forms === undefined) files.set(key, (forms = readFile(input, isAsset === true, defines)))
  return forms
}

async function readFile(input: string, isAsset: boolean, defines: Defines): Promise<readonly Form[]> {
  const file = fileOfInput(input)
  if (file === undefined || (isAsset ? !isCode(file) : isData(file, input))) return []
  return isAsset
    ? parsedForms(readFileSync(file, 'utf8'), file, defines)
    : formsInText((await bundledText(file)).code, file, defines)
}

const anyOf = (names: Iterable<string>): string => [...names].join('|')

const MAYBE = new RegExp(
  [
    String.raw`\b(?:${anyOf([...Object.keys(globals), ...Object.keys(members)].filter((name) => name !== 'require'))})\b`,
    String.raw`\bimport\.meta\b`,
    // An import or a require of anything but one literal name.
    String.raw`\b(?:import|require)(?:\.\w+)?\s*\(\s*(?!(['"])[^'"\n]*\1\s*[,)])`,
    // `require` as a value. In front of a closing bracket it is mostly English, in a comment.
    String.raw`\.require\b|\brequire\.\w|[=(,:?[{]\s*require\s*(?:[,;})\]\n]|$)`,
    String.raw`\.binding\s*\(`,
    // A built-in that loads, runs or starts code.
    `['"\`](?:node:)?(?:${anyOf(Object.keys(modules))})['"\`]`,
    // A timer with a literal text.
    String.raw`\bset(?:Timeout|Interval)\s*\(\s*['"\`]`,
  ].join('|'),
)

/** Whether a source text may contain a form. False means that it contains none. */
function mayHaveForm(text: string): boolean {
  return MAYBE.test(text)
}
