/** Explains why Node could not load a user's module: a failed import, or TypeScript that Node does not run. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build, type Message } from 'esbuild'
import type ts from 'typescript'
import { packagesAt, root, shown } from '../paths.ts'
import { loadTypeScript, TS } from '../typescript.ts'
import { explainImport } from './explain-import.ts'
import { LoadError, type LoadErrorParts } from './read-module.ts'
import { type Explained, fileOf, lineOf, withSource } from './source-line.ts'

const ERASABLE =
  'Node runs TypeScript by leaving out its types, so syntax that makes code is ' +
  'not available. `erasableSyntaxOnly` in tsconfig.json finds it in the editor.'

/** Explains an error in the syntax of TypeScript; undefined for another error. */
function explainSyntax(message: string, { place, files = [] }: LoadErrorParts, base: string): Explained | undefined {
  if (/not supported in strip-only mode/.test(message) && place !== undefined) {
    const file = fileOf(place.url)
    const what = withSource(shown(file, base), { ...place, text: lineOf(file, place.line) }, message)
    return { why: what, hint: ERASABLE }
  }
  if (place !== undefined || !/Invalid or unexpected token/.test(message)) return undefined
  // V8 does not say where. Of valid TypeScript only a decorator leaves such a token.
  for (const file of files.filter((one) => packagesAt(one) < 0)) {
    const line = firstDecorator(file)
    if (line === undefined) continue
    const why = withSource(
      shown(file, base),
      { line, column: undefined, text: lineOf(file, line) },
      'Node does not run decorators',
    )
    return { why, hint: `Call the function on the class or method instead. ${ERASABLE}` }
  }
  return undefined
}

function firstDecorator(file: string): number | undefined {
  loadTypeScript()
  const source = TS.createSourceFile(file, readFileSync(file, 'utf8'), TS.ScriptTarget.Latest, true)
  const find = (node: ts.Node): number | undefined =>
    TS.isDecorator(node) ? source.getLineAndCharacterOfPosition(node.getStart()).line + 1 : TS.forEachChild(node, find)
  return find(source)
}

const MAY_NOT = 'It is loaded to read what it declares, by a process that may neither write nor start another.'

/** Explains the error that loading `file` threw. Paths are shown relative to `base`. */
export async function explainLoad(file: string, error: unknown, base: string): Promise<Explained> {
  const { message, parts } = error instanceof LoadError ? error : { message: (error as Error).message, parts: {} }
  const ofImport = explainImport(message, parts, base)
  if (ofImport !== undefined) return ofImport
  const messages = await messagesOf(file)
  if (messages.length > 0) return { why: messages.map((message) => ofBundler(message, base)).join('\n') }
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
