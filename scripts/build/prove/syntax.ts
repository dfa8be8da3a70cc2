/**
 * The code of one file as the proof checks it: without types and comments, constants folded, escapes resolved, and
 * every watched free name marked. The bundler does this with its scope analysis, so that a local variable called
 * `require` is not taken for a form.
 */
import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { extname } from 'node:path'
import { type Loader, type TransformOptions, transform, transformSync } from 'esbuild'
import type ts from 'typescript'
import { buildFail } from '../errors.ts'
import { type Folded, foldAbout, isFolded } from '../generate/without-about.ts'
import { toDefineText } from '../plan/defines.ts'
import type { DefineValue } from '../plan/target-plan.ts'
import { loadTypeScript, TS } from '../typescript.ts'
import { globals } from './forms/ways.ts'

/**
 * Names that load or run code. A mark before a name distinguishes a free use from a local variable of the same name.
 */
const watched: readonly string[] = [...Object.keys(globals), 'require', 'setTimeout', 'setInterval']

/** Values of defines that the code may branch on. */
export type Defines = Readonly<Record<string, DefineValue>>

/** Prefix of a watched name that is free. */
const MARK = 'free$'
const marks = Object.fromEntries(watched.map((name) => [name, MARK + name]))

const loaders: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
}

/** The watched global that an identifier names; undefined for other nodes and for local variables. */
export function freeName(node: ts.Node): string | undefined {
  return TS.isIdentifier(node) && node.text.startsWith(MARK) ? node.text.slice(MARK.length) : undefined
}

/** The source text of a node, shortened for an error message. */
export function excerpt(node: ts.Node): string {
  const text = node.getText().replaceAll(MARK, '').replace(/\s+/g, ' ')
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** Whether a file is code, by its extension. */
export function isCode(file: string): boolean {
  return extname(file) in loaders
}

/**
 * Whether the bundler treats an input as data. The bundler treats a file without an extension as code, so every input
 * that is not known to be data is read as code.
 */
export function isData(file: string, input: string = file): boolean {
  return /\.(?:json|txt|css|html|wasm)$/.test(file) || / with \{ ?type: ?['"](?:json|text|bytes)['"] ?\}$/.test(input)
}

const options = { minifySyntax: true, target: 'esnext', logLevel: 'silent', treeShaking: false } as const

/**
 * Parses a source text without the branches that `defines` exclude.
 * @throws SvcError `ERR_BUILD_FAILED` if the text cannot be parsed
 */
export async function parseCode(text: string, file: string, defines: Defines = {}): Promise<ts.SourceFile> {
  loadTypeScript()
  const { code } = await transform(text, optionsFor(file, defines)).catch((cause: unknown) => {
    throw buildFail('ERR_BUILD_FAILED', { message: `${file} cannot be parsed: ${(cause as Error).message}`, cause })
  })
  return TS.createSourceFile(file, code, TS.ScriptTarget.Latest, true, TS.ScriptKind.JS)
}

/**
 * The line in a file of a position in its parsed text; undefined where the bundler cannot say. This parses the file
 * again, because few positions are shown, all of them in errors.
 */
export async function lineInSource(file: string, at: number, defines: Defines): Promise<number | undefined> {
  const bundled = await bundledText(file)
  const { code, map } = transformSync(bundled.code, {
    ...optionsFor(file, defines),
    sourcemap: 'external',
    sourcesContent: false,
  })
  const before = code.slice(0, at).split('\n')
  const entry = new SourceMap(JSON.parse(map) as SourceMapPayload).findEntry(before.length - 1, before.at(-1)!.length)
  if (!('originalLine' in entry)) return undefined
  return bundled.sourceOf({ line: entry.originalLine + 1, column: entry.originalColumn })?.line
}

/** The text of a source file that a bundle has: a feature without what is described. */
export async function bundledText(file: string): Promise<Folded> {
  const code = readFileSync(file, 'utf8')
  return isFolded(file, code) ? foldAbout(code, file) : { code, sourceOf: (place) => place }
}

function optionsFor(file: string, defines: Defines): TransformOptions {
  return { ...options, loader: loaderOf(file), define: { ...marks, ...toDefineText(defines) } }
}

function loaderOf(file: string): Loader {
  return loaders[extname(file)] ?? 'js'
}
