/** Stage 3, bundle: makes one file of each generated target, in memory. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile, type OutputFile } from 'esbuild'
import { buildFail } from './errors.ts'
import { esbuildOptions } from './esbuild-options.ts'
import type { Generated } from './generate.ts'
import { generatedEntries } from './generated-entries.ts'
import { lazy } from './lazy.ts'
import { mergeWorkers } from './merge-workers.ts'
import { root } from './paths.ts'
import { HASH_PLACEHOLDER, type TargetPlan } from './plan.ts'
import { workerText } from './worker-text.ts'

/** A bundle, and esbuild's account of what is in it. */
export interface Bundle {
  readonly target: TargetPlan
  /** `cjs` in a single executable. */
  readonly format: 'esm' | 'cjs'
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
export async function bundle(generated: Generated, format: Bundle['format'] = 'esm'): Promise<Bundle> {
  const [made] = await bundleAll(generated, [generated.target.defines], format)
  return made!
}

/**
 * Bundles one generated text once for each set of defines, side by side: the files that they have in common are read and
 * parsed once. A set chooses in the generated text; elsewhere the defines of the target hold, in all of them.
 * @throws SvcError `ERR_BUILD_FAILED` with esbuild's messages
 */
export async function bundleAll(
  generated: Generated,
  choices: readonly TargetPlan['defines'][],
  format: Bundle['format'],
): Promise<Bundle[]> {
  const { folder, target } = generated
  const workers = new Map<string, Metafile>()
  const { entryPoints, plugin } = generatedEntries(generated, choices)
  const result = await build({
    ...esbuildOptions(target, format),
    absWorkingDir: root,
    entryPoints,
    plugins: [workerText((source, metafile) => void workers.set(source, metafile)), plugin],
    outdir: OUT,
    write: false,
    metafile: true,
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw buildFail('ERR_BUILD_FAILED', { message: `${folder}: ${(error as Error).message}`, cause: error })
  })
  const outputs = new Map(result.outputFiles.map((file) => [basename(file.path, '.js'), file]))
  return choices.map((defines, index) => {
    const { out } = entryPoints[index]!
    const metafile = metafileOf(result.metafile, `${OUT}/${out}.js`)
    return toBundle({ ...target, defines }, format, outputs.get(out)!, mergeWorkers(metafile, workers))
  })
}

/** Folder of the outputs in esbuild's account; nothing is written there. */
const OUT = 'bundle'

/** Of a control nobody asks for more than the account and the size, so that the rest is made when it is asked for. */
function toBundle(target: TargetPlan, format: Bundle['format'], output: OutputFile, metafile: Metafile): Bundle {
  const stamped = lazy(() => stamp(output.text))
  const gzipBytes = lazy(() => gzipSync(stamped().text, { level: 9 }).length)
  return {
    target,
    format,
    metafile,
    bytes: output.contents.length,
    get text() {
      return stamped().text
    },
    get sha256() {
      return stamped().sha256
    },
    get gzipBytes() {
      return gzipBytes()
    },
  }
}

/** The part of an account that is one output's: itself, and the files that its entry leads to. */
function metafileOf({ inputs, outputs }: Metafile, name: string): Metafile {
  const output = outputs[name]!
  const found = new Set([output.entryPoint!])
  for (const input of found) {
    for (const { path, external } of inputs[input]?.imports ?? []) if (external !== true) found.add(path)
  }
  return {
    inputs: Object.fromEntries(
      [...found].flatMap((input) => (inputs[input] === undefined ? [] : [[input, inputs[input]]])),
    ),
    outputs: { [name]: output },
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

/** A bundle as its hash is taken: with zeros in the place of the hash; undefined where it carries no manifest. */
export function unstamped(text: string): string | undefined {
  const place = /(bundleSha256:\s*["'`])[0-9a-f]{64}/
  return place.test(text) ? text.replace(place, `$1${HASH_PLACEHOLDER}`) : undefined
}
