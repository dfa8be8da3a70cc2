/** Stage 3, bundle: makes one file of each generated target, in memory. */
import { createHash } from 'node:crypto'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { context, type Metafile, type OnLoadResult } from 'esbuild'
import { toDefineText } from './defines.ts'
import { buildFail } from './errors.ts'
import { esbuildOptions, isSplit } from './esbuild-options.ts'
import { foldDefines } from './fold-defines.ts'
import type { Generated } from './generate.ts'
import { jsonText } from './json-text.ts'
import { lazyBuiltins } from './lazy-builtins.ts'
import { mergeWorkers } from './merge-workers.ts'
import { loadedAtOnce } from './outputs.ts'
import { root } from './paths.ts'
import { HASH_PLACEHOLDER, type TargetPlan } from './plan.ts'
import { wasmFile } from './wasm-file.ts'
import { workerText } from './worker-text.ts'

/** A file of a bundle beside its entry. */
export interface Part {
  readonly name: string
  readonly base64: string
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
  /** Whether it is loaded when it is first needed, and not with the entry. */
  readonly later: boolean
}

/** A bundle, and esbuild's account of what is in it. */
export interface Bundle {
  readonly target: TargetPlan
  /** `cjs` in a single executable. */
  readonly format: 'esm' | 'cjs'
  /** The entry, or the only file. */
  readonly text: string
  /** The other files, by name. */
  readonly parts: readonly Part[]
  /** SHA-256 over the text with the hash placeholder in place, as `bundleSha256` of the manifest says. */
  readonly sha256: string
  /** Of all files. */
  readonly bytes: number
  /** Of the entry and what is loaded with it, each file compressed by itself. */
  readonly gzipBytes: number
  /** Of all files. */
  readonly gzipTotal: number
  readonly metafile: Metafile
}

/**
 * Bundles a generated target; `format` is `cjs` for the single executable.
 * @throws SvcError `ERR_BUILD_FAILED` with esbuild's messages
 */
export async function bundle(generated: Generated, format: Bundle['format'] = 'esm'): Promise<Bundle> {
  const bundler = await openBundler(generated, format)
  try {
    return await bundler.bundle(generated)
  } finally {
    await bundler.close()
  }
}

/** Bundles one generated text again and again, and remembers the files that it has read. */
export interface Bundler {
  /** One at a time. The defines of `generated` choose in the generated text; elsewhere those hold with which it was opened. */
  bundle(generated: Generated): Promise<Bundle>
  close(): Promise<void>
}

/** What stands in generated text: modules outside of `.build/<profile>/<form>/`, and the text beside it. */
const GENERATED_IMPORT = /^(?:\.\.\/\.\.\/\.\.\/|\.\/(?:registry|manifest)\.ts$)/

/** Opens a bundler for the target of a generated text. */
export async function openBundler(generated: Generated, format: Bundle['format']): Promise<Bundler> {
  const { folder } = generated
  const entry = join(folder, 'entry.ts')
  const workers = new Map<string, Metafile>()
  let current = generated
  const virtual = 'generated'
  const load = async (name: string): Promise<OnLoadResult> => {
    const text = current.files[name]!
    if (name === 'manifest.ts') return { contents: text, resolveDir: folder, loader: 'ts' }
    const contents = await foldDefines(text, toDefineText(current.target.defines))
    return { contents, resolveDir: folder, loader: 'js' }
  }
  const session = await context({
    ...esbuildOptions(generated.target, format),
    absWorkingDir: root,
    entryPoints: [entry],
    plugins: [
      ...(generated.target.form === 'main' ? [lazyBuiltins(root), jsonText()] : []),
      wasmFile((path) => path.startsWith(join(root, 'plugins/'))),
      workerText((source, metafile) => void workers.set(source, metafile)),
      {
        // The files are bundled from memory: what is bundled only as a control stands in no folder on the disk. So
        // their imports are resolved here, by path alone.
        name: virtual,
        setup(setup) {
          // By filters that few imports pass: each call of a plugin costs more than the reading of a file.
          setup.onResolve({ filter: /\bentry\.ts$/ }, ({ path, kind }) =>
            kind === 'entry-point' ? { path } : undefined,
          )
          setup.onResolve({ filter: GENERATED_IMPORT }, ({ path, resolveDir }) => {
            if (resolveDir !== folder) return undefined
            const namespace = /^\.\/(?:registry|manifest)\.ts$/.test(path) ? virtual : 'file'
            return { path: resolve(folder, path), namespace }
          })
          setup.onLoad({ filter: /\bentry\.ts$/ }, ({ path }) => (path === entry ? load('entry.ts') : undefined))
          setup.onLoad({ filter: /./, namespace: virtual }, ({ path }) => load(basename(path)))
        },
      },
    ],
    ...(!isSplit(generated.target) && { outfile: 'bundle.js' }),
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  return {
    bundle: async (next) => {
      current = next
      const result = await session.rebuild().catch((error: unknown) => {
        throw buildFail('ERR_BUILD_FAILED', { message: `${folder}: ${(error as Error).message}`, cause: error })
      })
      const files = result.outputFiles!
      const [first] = files.length === 1 ? files : files.filter(({ path }) => basename(path) === ENTRY_NAME)
      const { text, sha256 } = stamp(first!.text)
      const bytes = Buffer.from(text)
      const others = files.filter((file) => file !== first).map(({ path, contents }) => ({ path, contents }))
      const atOnce = new Set<unknown>(loadedAtOnce(result.metafile!))
      const gzipEntry = once(() => gzipSize(bytes))
      const parts = once(() =>
        others
          .map(({ path, contents }) =>
            toPart(basename(path), contents, !atOnce.has(result.metafile!.outputs[basename(path)])),
          )
          .sort((a, b) => (a.name < b.name ? -1 : 1)),
      )
      return {
        target: next.target,
        format,
        text,
        sha256,
        bytes: others.reduce((sum, { contents }) => sum + contents.length, bytes.length),
        // Nobody asks for these of a control, and they take longer than the bundling.
        get parts() {
          return parts()
        },
        get gzipBytes() {
          return parts().reduce((sum, part) => sum + (part.later ? 0 : part.gzipBytes), gzipEntry())
        },
        get gzipTotal() {
          return parts().reduce((sum, part) => sum + part.gzipBytes, gzipEntry())
        },
        metafile: mergeWorkers(result.metafile!, workers),
      }
    },
    close: () => session.dispose(),
  }
}

/** The name of a library's entry, also where it is one of several files. */
const ENTRY_NAME = 'index.mjs'

function toPart(name: string, contents: Uint8Array, later: boolean): Part {
  return {
    name,
    base64: Buffer.from(contents).toString('base64'),
    bytes: contents.length,
    gzipBytes: gzipSize(contents),
    sha256: createHash('sha256').update(contents).digest('hex'),
    later,
  }
}

/** Size of one file, compressed as a server would once and for all. */
function gzipSize(bytes: Uint8Array): number {
  return gzipSync(bytes, { level: 9 }).length
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * Writes the hash of a bundle into its manifest: SHA-256 over the text with 64 zeros in that place.
 * @throws SvcError `ERR_BUILD_FAILED` where the bundle carries no manifest
 */
export function stamp(raw: string): { text: string; sha256: string } {
  // By the name of the member: 64 zeros alone may be anything, such as an encoded point.
  const place = new RegExp(`(bundleSha256:\\s*["'\`])${HASH_PLACEHOLDER}`)
  if (!place.test(raw)) throw buildFail('ERR_BUILD_FAILED', { message: 'The bundle does not carry its manifest.' })
  const sha256 = createHash('sha256').update(raw).digest('hex')
  return { text: raw.replace(place, `$1${sha256}`), sha256 }
}

/** A bundle as its hash is taken: with zeros in the place of the hash; undefined where it carries no manifest. */
export function unstamped(text: string): string | undefined {
  const place = /(bundleSha256:\s*["'`])[0-9a-f]{64}/
  return place.test(text) ? text.replace(place, `$1${HASH_PLACEHOLDER}`) : undefined
}
