/**
 * The code of one file as the proof checks it: without types and comments, constants folded, escapes resolved, and
 * every watched free name marked. The bundler does this with its scope analysis, so that neither a local `require` nor
 * `globalThis['ev' + 'al']` misleads the checks.
 */
import { basename, extname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { build, type Loader, transform } from 'esbuild'
import type ts from 'typescript'
import { buildFail } from '../errors.ts'
import { toDefineText } from '../plan/defines.ts'
import type { DefineValue } from '../plan/target-plan.ts'
import { loadTypeScript, TS } from '../typescript.ts'

/**
 * Global names that give access to code or to the host, or that only describe values. A mark before a name
 * distinguishes a free use from a local variable of the same name.
 */
const watched = [
  'eval',
  'Function',
  'ShadowRealm',
  'require',
  'module',
  'process',
  'globalThis',
  'global',
  'window',
  'self',
  'frames',
  'top',
  'parent',
  '__svcRequire',
  'Worker',
  'SharedWorker',
  'importScripts',
  'WebAssembly',
  'setTimeout',
  'setInterval',
  'Error',
  'Object',
] as const

/** Values of defines that the code may branch on. */
export type Defines = Readonly<Record<string, DefineValue>>

/** A watched global name. */
export type Watched = (typeof watched)[number]

/** Prefix of a watched name that is free. */
export const MARK = 'free$'
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
export function freeName(node: ts.Node): Watched | undefined {
  return TS.isIdentifier(node) && node.text.startsWith(MARK) ? (node.text.slice(MARK.length) as Watched) : undefined
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
 * Prints source text without the branches that `defines` exclude.
 * @throws SvcError `ERR_BUILD_FAILED` if the text cannot be parsed
 */
export async function printCode(text: string, file: string, defines: Defines = {}): Promise<string> {
  const define = { ...marks, ...toDefineText(defines) }
  const loader = loaderOf(file)
  const { code } = await transform(text, { ...options, loader, define }).catch((cause: unknown) => {
    throw buildFail('ERR_BUILD_FAILED', { message: `${file} cannot be parsed: ${(cause as Error).message}`, cause })
  })
  return code
}

interface Waiting {
  readonly file: string
  readonly resolve: (code: string | undefined) => void
}

const waiting = new Map<string, Waiting[]>()

/**
 * Prints a file from the disk. Files that are requested in the same turn are sent to the bundler together, which halves
 * the time.
 * @throws SvcError `ERR_BUILD_FAILED` if the file cannot be parsed
 */
export async function printFile(text: string, file: string, defines: Defines = {}): Promise<string> {
  const key = JSON.stringify(defines)
  const code = await new Promise<string | undefined>((resolve) => {
    const batch = waiting.get(key) ?? []
    if (batch.length === 0) {
      waiting.set(key, batch)
      setImmediate(() => {
        waiting.delete(key)
        void printBatch(batch, defines)
      })
    }
    batch.push({ file, resolve })
  })
  // If a batch fails, each of its files is printed alone, which finds the file with the error.
  return code ?? printCode(text, file, defines)
}

async function printBatch(batch: readonly Waiting[], defines: Defines): Promise<void> {
  const result = await build({
    ...options,
    define: { ...marks, ...toDefineText(defines) },
    entryPoints: batch.map(({ file }, index) => ({ in: file, out: String(index) })),
    loader: Object.fromEntries(
      batch.flatMap(({ file }) => (extname(file) === '' ? [] : [[extname(file), loaderOf(file)]])),
    ),
    outdir: '/',
    write: false,
    tsconfigRaw: {},
  }).catch(() => undefined)
  const codes = new Map(result?.outputFiles.map((output) => [basename(output.path, '.js'), output.text]))
  for (const [index, { resolve }] of batch.entries()) {
    resolve(codes.get(String(index)))
    // Analysing a file takes time. The bundler's requests are handled between files, so that the bundler does not wait
    // for the whole batch.
    await nextTurn()
  }
}

function loaderOf(file: string): Loader {
  return loaders[extname(file)] ?? 'js'
}

/** Parses printed code. */
export function parsePrinted(code: string, file: string): ts.SourceFile {
  loadTypeScript()
  return TS.createSourceFile(file, code, TS.ScriptTarget.Latest, true, TS.ScriptKind.JS)
}
