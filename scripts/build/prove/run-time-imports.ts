/**
 * Built-ins that a bundle asks for at run time, by `process.getBuiltinModule`. The bundler does not see them, so they
 * would slip through a proof that only reads its account.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Bundle } from '../bundle.ts'
import { root } from '../paths.ts'

/** One file that asks, and for what; `*` where the name is not written as a plain text. */
export interface RunTimeImport {
  /** Key of the file in the metafile. */
  readonly input: string
  readonly builtin: string
}

const NAME = 'getBuiltinModule'

/** Finds every such file in a bundle. */
export function runTimeImports({ text, metafile }: Pick<Bundle, 'text' | 'metafile'>): RunTimeImport[] {
  if (!text.includes(NAME)) return []
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)
  return Object.entries(output?.inputs ?? {})
    .filter(([input, { bytesInOutput }]) => bytesInOutput > 0 && !input.startsWith('generated:'))
    .flatMap(([input]) => namesIn(readFileSync(resolve(root, input), 'utf8')).map((builtin) => ({ input, builtin })))
}

function namesIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const uses = code.split(NAME).slice(1)
  const names = uses.map((rest) => /^\s*(?:\?\.)?\(\s*(['"`])([\w:/]+)\1/.exec(rest)?.[2] ?? '*')
  return [...new Set(names.map((name) => (name === '*' || name.startsWith('node:') ? name : `node:${name}`)))]
}
