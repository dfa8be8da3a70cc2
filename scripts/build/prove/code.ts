/** What the proof wants to know of the code of a file. Most files are in several bundles of a build; each is parsed once. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { root } from '../paths.ts'
import { type Form, findForms } from './forms.ts'
import { type Shape, shapeOf } from './shape.ts'
import { isCode, parseCode } from './syntax.ts'

/** The forms and the shape of one file. */
export interface Code {
  readonly forms: readonly Form[]
  readonly shape: Shape
}

const seen = new Map<string, Promise<Code>>()

/** Reads a text of code; `file` says what language it is in. */
export function codeOf(text: string, file: string): Promise<Code> {
  const key = createHash('sha256')
    .update(text)
    .update(file.slice(file.lastIndexOf('.')))
    .digest('base64')
  let code = seen.get(key)
  if (code === undefined) seen.set(key, (code = read(text, file)))
  return code
}

/** Reads a file, named as the account of a bundle names it; one that holds no code has neither forms nor functions. */
export async function codeOfInput(input: string): Promise<Code> {
  if (!isCode(input)) return { forms: [], shape: { shingles: new Uint32Array(), functions: [] } }
  return codeOf(readFileSync(resolve(root, input), 'utf8'), input)
}

async function read(text: string, file: string): Promise<Code> {
  const source = await parseCode(text, file)
  return { forms: findForms(source), shape: shapeOf(source) }
}
