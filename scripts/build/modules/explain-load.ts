/** Explains why a user's module cannot be loaded: file, line, column, and the source line. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Message } from 'esbuild'
import { nearest } from '../../../core/settings/suggest.ts'
import { root, shown } from '../paths.ts'
import { explainImport } from './explain-import.ts'
import { explainSyntax } from './explain-syntax.ts'
import { LoadError } from './read-module.ts'

/** The reason why a module cannot be loaded, and a hint for the fix. */
export interface Explained {
  readonly why: string
  readonly hint?: string
}

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

/** A line of a file. */
export interface Place {
  readonly line: number
  readonly column: number | undefined
  readonly text: string | undefined
}

/** A message with the place that it is about. */
export function withSource(file: string, { line, column, text }: Place, message: string): string {
  const head = `${file}:${line}${column === undefined ? '' : `:${column}`}: ${message}`
  if (text === undefined) return head
  // Tabs are kept, so that the `^` is below the right column.
  const before = column === undefined ? undefined : text.slice(0, column - 1).replace(/[^\t]/g, ' ')
  return [head, `      ${text}`, ...(before === undefined ? [] : [`      ${before}^`])].join('\n')
}

/** The path of a place in a module. */
export function fileOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : url
}

/** The text of a line, counted from 1. */
export function lineOf(file: string, line: number): string | undefined {
  return isAbsolute(file) && existsSync(file) ? readFileSync(file, 'utf8').split('\n')[line - 1] : undefined
}

/**
 * Suggests an existing file for the path of a missing one: a file in the same folder, or a file with the same name in a
 * sibling folder. Returns undefined if nothing is similar.
 */
export function nearbyFile(missing: string): string | undefined {
  const folder = dirname(missing)
  const around = dirname(folder)
  const beside = entriesOf(folder).map((name) => join(folder, name))
  const next = entriesOf(around).map((name) => join(around, name, basename(missing)))
  return nearest(
    missing,
    [...beside, ...next].filter((path) => path !== missing && existsSync(path)),
  )
}

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
