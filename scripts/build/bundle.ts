/** Stage 3, bundle: makes one file of each generated target, in memory. */
import { createHash } from 'node:crypto'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { buildFail } from './errors.ts'
import { esbuildOptions } from './esbuild-options.ts'
import { foldDefines } from './fold-defines.ts'
import type { Generated } from './generate.ts'
import { mergeWorkers } from './merge-workers.ts'
import { root } from './paths.ts'
import { HASH_PLACEHOLDER, type TargetPlan } from './plan.ts'
import { workerText } from './worker-text.ts'

/** A bundle, and esbuild's account of what is in it. */
export interface Bundle {
  readonly target: TargetPlan
  readonly text: string
  /** SHA-256 over the text with the hash placeholder in place, as `bundleSha256` of the manifest says. */
  readonly sha256: string
  readonly bytes: number
  readonly gzipBytes: number
  readonly metafile: Metafile
}

/**
 * Bundles a generated target; `format` is `cjs` for the single executable.
 * @throws SvcError `ERR_BUILD_FAILED` with esbuild's messages
 */
export async function bundle(generated: Generated, format: 'esm' | 'cjs' = 'esm'): Promise<Bundle> {
  const { target, folder, files } = generated
  const virtual = 'generated'
  const workers = new Map<string, Metafile>()
  const options = esbuildOptions(target, format)
  const entry = await foldDefines(files['entry.ts']!, options.define!)
  const result = await build({
    ...options,
    absWorkingDir: root,
    stdin: { contents: entry, resolveDir: folder, sourcefile: join(folder, 'entry.ts'), loader: 'js' },
    plugins: [
      workerText((source, metafile) => void workers.set(source, metafile)),
      {
        // The files are bundled from memory: what is bundled only as a control stands in no folder on the disk. So
        // their imports are resolved here, by path alone.
        name: virtual,
        setup(context) {
          context.onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir }) => {
            if (resolveDir !== folder || importer === '') return undefined
            const namespace = /^\.\/(?:registry|manifest)\.ts$/.test(path) ? virtual : 'file'
            return { path: resolve(folder, path), namespace }
          })
          context.onLoad({ filter: /./, namespace: virtual }, async ({ path }) => {
            const text = files[basename(path)]!
            if (basename(path) === 'manifest.ts') return { contents: text, resolveDir: folder, loader: 'ts' }
            return { contents: await foldDefines(text, options.define!), resolveDir: folder, loader: 'js' }
          })
        },
      },
    ],
    outfile: 'bundle.js',
    write: false,
    metafile: true,
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw buildFail('ERR_BUILD_FAILED', { message: `${generated.folder}: ${(error as Error).message}`, cause: error })
  })
  const { text, sha256 } = stamp(result.outputFiles[0]!.text)
  const bytes = Buffer.from(text)
  return {
    target,
    text,
    sha256,
    bytes: bytes.length,
    gzipBytes: gzipSync(bytes, { level: 9 }).length,
    metafile: mergeWorkers(result.metafile, workers),
  }
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
