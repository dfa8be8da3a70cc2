/** What the proof wants to know of the code of a file. Most files are in several bundles of a build; each is parsed once. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileOfInput } from '../paths.ts'
import type { Attributed } from './attribute.ts'
import { type Shape, shapeOf } from './copies/shape.ts'
import { type Form, findForms, isUnfollowed } from './forms/forms.ts'
import { createCodeStore, type ReadCode } from './kept-code.ts'
import { type Defines, isCode, isData, parsePrinted, printCode, printFile } from './syntax.ts'

/** What is found in the code of one file, when somebody asks for it. */
export interface Code {
  /** The forms that the bundler cannot follow, given the modules that it did follow out of the file, and built-ins that are asked for. */
  formsBeside(followed: ReadonlySet<string>): readonly Form[]
  readonly shape: Shape
}

const seen = new Map<string, Promise<Code>>()
const store = createCodeStore()

/** Reads a text of code as it is in a bundle with `defines`; `file` says what language it is in. */
export function codeOf(text: string, file: string, defines: Defines = {}): Promise<Code> {
  return remembered(text, file, defines, printCode)
}

const none: Code = { formsBeside: () => [], shape: { shingles: new Uint32Array(), functions: [] } }

/** What was read for the defines of a target, which is planned anew for every build. */
const read = new WeakMap<Defines, Map<string, Promise<Code>>>()

/**
 * Reads a file that is in or beside a bundle, once for each target; data has neither forms nor functions. What is an asset is
 * not the bundler's to say, so its name does.
 */
export function codeOfFile(
  { input, isAsset }: Pick<Attributed, 'input' | 'isAsset'>,
  defines: Defines = {},
): Promise<Code> {
  const files = read.get(defines) ?? new Map<string, Promise<Code>>()
  read.set(defines, files)
  const key = `${isAsset === true} ${input}`
  let code = files.get(key)
  if (code === undefined) files.set(key, (code = readFile(input, isAsset, defines)))
  return code
}

/** Keeps what was read of files for the next build. To be called when a proof holds. */
export function keepCode(): void {
  store.write()
}

/** Reads files before anybody asks for them; who asks in the end hears what is wrong with one. */
export function readAhead(inputs: readonly string[]): void {
  for (const input of inputs) codeOfFile({ input }).catch(() => undefined)
}

async function readFile(input: string, isAsset: boolean | undefined, defines: Defines): Promise<Code> {
  const file = fileOfInput(input)
  if (file === undefined || (isAsset ? !isCode(file) : isData(file, input))) return none
  return remembered(readFileSync(file, 'utf8'), file, defines, printFile)
}

function remembered(text: string, file: string, defines: Defines, print: typeof printCode): Promise<Code> {
  const used = Object.fromEntries(Object.entries(defines).filter(([name]) => text.includes(name)))
  const hash = createHash('sha256').update(text)
  const key = hash.update(JSON.stringify([extname(file), used])).digest('base64')
  let code = seen.get(key)
  if (code === undefined) seen.set(key, (code = readCode(key, () => print(text, file, used), file).then(toCode)))
  return code
}

async function readCode(key: string, print: () => Promise<string>, file: string): Promise<ReadCode> {
  const kept = store.get(key)
  if (kept !== undefined) return kept
  // The tree takes ten times the memory of what is read of it, and goes.
  const tree = parsePrinted(await print(), file)
  const found = { forms: findForms(tree), shape: shapeOf(tree) }
  store.note(key, found)
  return found
}

function toCode({ forms, shape }: ReadCode): Code {
  return {
    formsBeside: (followed) => forms.filter((form) => isUnfollowed(form, followed) || form.builtin !== undefined),
    shape,
  }
}
