/**
 * The code of one file as the checks of the proof read it: types and comments gone, constants folded, escapes resolved, and
 * every name that the file does not declare itself marked as free. The bundler does all of that with the scopes it knows,
 * so that neither a local `require` nor `globalThis['ev' + 'al']` deceives whoever looks at the result.
 */
import { basename, extname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { build, type Loader, transform } from 'esbuild'
import type ts from 'typescript'
import { buildFail } from '../errors.ts'
import { toDefineText } from '../plan/defines.ts'
import type { DefineValue } from '../plan/target-plan.ts'
import { loadTypeScript, TS } from '../typescript.ts'

/** Global names that lead to code or to the host, or that only describe; a mark before them tells a free use from a local of the same name. */
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

/** A global that is watched. */
export type Watched = (typeof watched)[number]

/** Stands before a watched name that is free. */
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

/** The watched global that an identifier is, where it is free. */
export function freeName(node: ts.Node): Watched | undefined {
  return TS.isIdentifier(node) && node.text.startsWith(MARK) ? (node.text.slice(MARK.length) as Watched) : undefined
}

/** A piece of code as an error shows it. */
export function excerpt(node: ts.Node): string {
  const text = node.getText().replaceAll(MARK, '').replace(/\s+/g, ' ')
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** Whether a file holds code, by its name. */
export function isCode(file: string): boolean {
  return extname(file) in loaders
}

/**
 * Whether the bundler takes an input for data. It takes a file without any ending for code, so what is not known to be data
 * is read as code.
 */
export function isData(file: string, input: string = file): boolean {
  return /\.(?:json|txt|css|html|wasm)$/.test(file) || / with \{ ?type: ?['"](?:json|text|bytes)['"] ?\}$/.test(input)
}

const options = { minifySyntax: true, target: 'esnext', logLevel: 'silent', treeShaking: false } as const

/**
 * Prints a text of code, without the branches that `defines` rule out.
 * @throws SvcError `ERR_BUILD_FAILED` where it is none
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
 * Prints a file as it is on the disk. Those that are asked for at once go to the bundler together, which takes it half the time.
 * @throws SvcError `ERR_BUILD_FAILED` where it is no code
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
  // The one that cannot be read is found by itself.
  return code ?? printCode(text, file, defines)
}

async function printBatch(batch: readonly Waiting[], defines: Defines): Promise<void> {
  const made = await build({
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
  const codes = new Map(made?.outputFiles.map((one) => [basename(one.path, '.js'), one.text]))
  for (const [index, { resolve }] of batch.entries()) {
    resolve(codes.get(String(index)))
    // What is read of a file then takes its time, and the bundler, which asks in between, is not to wait for all of them.
    await nextTurn()
  }
}

function loaderOf(file: string): Loader {
  return loaders[extname(file)] ?? 'js'
}

/** Parses what was printed. */
export function parsePrinted(code: string, file: string): ts.SourceFile {
  loadTypeScript()
  return TS.createSourceFile(file, code, TS.ScriptTarget.Latest, true, TS.ScriptKind.JS)
}
