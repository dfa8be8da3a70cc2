/** Explains why a user's module cannot be loaded: file, line, column, and the source line. */
import { resolve } from 'node:path'
import { build, type Message } from 'esbuild'
import { root, shown } from '../paths.ts'
import { explainImport } from './explain-import.ts'
import { explainSyntax } from './explain-syntax.ts'
import { LoadError } from './read-module.ts'
import { type Explained, fileOf, lineOf, withSource } from './source-line.ts'

/** The restrictions of a user's module while the toolkit reads it. */
const MAY_NOT = 'It is loaded to read what it declares, by a process that may neither write nor start another.'

/** Explains the error that loading `file` threw. Paths are shown relative to `base`. */
export async function explainLoad(file: string, error: unknown, base: string): Promise<Explained> {
  const { message, parts } = error instanceof LoadError ? error : { message: (error as Error).message, parts: {} }
  const ofImport = explainImport(message, parts, base)
  if (ofImport !== undefined) return ofImport
  const found = await messagesOf(file)
  if (found.length > 0) return { why: found.map((message) => ofBundler(message, base)).join('\n') }
  const ofSyntax = explainSyntax(message, parts, base)
  if (ofSyntax !== undefined) return ofSyntax
  if (parts.place === undefined) return { why: message, hint: MAY_NOT }
  const { line, column } = parts.place
  const at = fileOf(parts.place.url)
  return { why: withSource(shown(at, base), { line, column, text: lineOf(at, line) }, message), hint: MAY_NOT }
}

/**
 * The bundler's errors for the module and its imports, except packages. The bundler reports the position of each error.
 */
async function messagesOf(file: string): Promise<readonly Message[]> {
  const options = { bundle: true, write: false, logLevel: 'silent', packages: 'external', platform: 'node' } as const
  return build({ ...options, format: 'esm', absWorkingDir: root, entryPoints: [file] }).then(
    () => [],
    (failure: { readonly errors?: readonly Message[] }) => failure.errors ?? [],
  )
}

function ofBundler({ text, location }: Message, base: string): string {
  if (location === null) return text
  const { file, line, column, lineText } = location
  return withSource(shown(resolve(root, file), base), { line, column: column + 1, text: lineText }, text)
}
