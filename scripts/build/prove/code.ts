/**
 * The properties of a file's code that the proof uses. Most files are in several bundles of a build; each file is
 * parsed once.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileOfInput } from '../paths.ts'
import type { Attributed } from './attribute.ts'
import { type Shape, shapeOf } from './copies/shape.ts'
import { type Form, findForms, isUnfollowed } from './forms/forms.ts'
import { createCodeStore, type ReadCode } from './kept-code.ts'
import { type Defines, isCode, isData, parsePrinted, printCode, printFile } from './syntax.ts'

/** The properties of one file's code. */
export interface Code {
  /**
   * The code forms that the bundler cannot follow, given the modules that it followed from the file, and the built-ins
   * that are loaded at run time.
   */
  formsBeside(followed: ReadonlySet<string>): readonly Form[]
  readonly shape: Shape
}

const seen = new Map<string, Promise<Code>>()
const store = createCodeStore()

/** Analyses source text as it is in a bundle with `defines`. The extension of `file` selects the language. */
export function codeOf(text: string, file: string, defines: Defines = {}): Promise<Code> {
  return remembered(text, file, defines, printCode)
}

const none: Code = { formsBeside: () => [], shape: { shingles: new Uint32Array(), functions: [] } }

/** Results by the defines of a target. Each build creates new defines, so entries are collected after the build. */
const read = new WeakMap<Defines, Map<string, Promise<Code>>>()

/**
 * Analyses a file in or beside a bundle, once for each target. Data has no forms and no functions. The bundler has no
 * loader for an asset, so its file name decides whether it is code.
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

/** Stores the results for the next build. Call this function only after the proof has passed. */
export function keepCode(): void {
  store.write()
}

/** Starts the analysis of files early. Errors are ignored here; a later call for the same file reports them. */
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
  const stored = store.get(key)
  if (stored !== undefined) return stored
  // The syntax tree takes ten times the memory of the result, so only the result is kept.
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
