/** What the proof wants to know of the code of a file. Most files are in several bundles of a build; each is parsed once. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { root } from '../paths.ts'
import { type Form, findForms } from './forms.ts'
import { type Shape, shapeOf } from './shape.ts'
import { type Defines, isCode, parseCode } from './syntax.ts'

/** The forms and the shape of one file. */
export interface Code {
  readonly forms: readonly Form[]
  readonly shape: Shape
}

const seen = new Map<string, Promise<Code>>()

/** Reads a text of code as it is in a bundle with `defines`; `file` says what language it is in. */
export function codeOf(text: string, file: string, defines: Defines = {}): Promise<Code> {
  const used = Object.fromEntries(Object.entries(defines).filter(([name]) => text.includes(name)))
  const hash = createHash('sha256').update(text)
  const key = hash.update(JSON.stringify([extname(file), used])).digest('base64')
  let code = seen.get(key)
  if (code === undefined) seen.set(key, (code = read(text, file, used)))
  return code
}

/** Reads a file, named as the account of a bundle names it; one that holds no code has neither forms nor functions. */
export async function codeOfInput(input: string, defines?: Defines): Promise<Code> {
  if (!isCode(input)) return { forms: [], shape: { shingles: new Uint32Array(), functions: [] } }
  return codeOf(readFileSync(resolve(root, input), 'utf8'), input, defines)
}

async function read(text: string, file: string, defines: Defines): Promise<Code> {
  const source = await parseCode(text, file, defines)
  return { forms: findForms(source), shape: shapeOf(source) }
}
