/** Stage 3, bundle: bundles each generated target in memory, into one file or several. */
import { basename } from 'node:path'
import {
  type BuildOptions,
  type BuildResult,
  build,
  context,
  type Metafile,
  type OutputFile,
  type Plugin,
} from 'esbuild'
import { buildFail } from '../errors.ts'
import { carriedSource, pageText, workerText } from '../generate/carried.ts'
import type { Generated } from '../generate/generate.ts'
import { jsonText, lazyBuiltins } from '../generate/lazy-builtins.ts'
import { withoutAbout } from '../generate/without-about.ts'
import { root } from '../paths.ts'
import type { TargetPlan } from '../plan/target-plan.ts'
import { stamp } from '../stamp.ts'
import { esbuildOptions, isSplit } from './esbuild-options.ts'
import { generatedEntries } from './generated-entries.ts'
import { mergeCarried } from './merge-carried.ts'
import { explainFailure, judgeWarnings, reported } from './messages.ts'
import { accountOfOutput, gzipSize, loadedAtOnce, type Part, toPart } from './outputs.ts'

/** A bundle, and esbuild's account of what is in it. */
export interface Bundle {
  readonly target: TargetPlan
  /** The entry, or the only file; of a program the script that `program-file.ts` and the executable start. */
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
  /** What the bundler warns of, each with its place. */
  readonly warnings: readonly string[]
}

/**
 * Bundles a generated target.
 * @throws SvcError `ERR_BUILD_FAILED` with esbuild's messages
 */
export async function bundle(generated: Generated): Promise<Bundle> {
  const { options, toRun } = prepare(generated)
  return toBundle(generated.target, await toRun(build(options)))
}

/** Bundles one generated text repeatedly, and keeps parsed files in memory. */
export interface Bundler {
  /** Bundles the present contents of the files. Calls must not overlap. */
  bundle(): Promise<Bundle>
  close(): Promise<void>
}

/** Opens a bundler of a generated text. */
export async function openBundler(generated: Generated): Promise<Bundler> {
  const { target } = generated
  const { options, toRun } = prepare(generated)
  const session = await context(options)
  return {
    bundle: async () => toBundle(target, await toRun(session.rebuild())),
    close: () => session.dispose(),
  }
}

function toBundle(target: TargetPlan, { files, metafile, warnings }: Run): Bundle {
  const [entry] = files.length === 1 ? files : files.filter(({ path }) => basename(path) === ENTRY_NAME)
  const { text, sha256 } = stamp(entry!.text)
  const atOnce = new Set<unknown>(loadedAtOnce(metafile))
  const parts = files
    .filter((file) => file !== entry)
    .map(({ path, contents }) => toPart(basename(path), contents, !atOnce.has(metafile.outputs[basename(path)])))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const gzipEntry = gzipSize(Buffer.from(text))
  const gzipOf = (some: readonly Part[]): number => some.reduce((sum, { gzipBytes }) => sum + gzipBytes, gzipEntry)
  return {
    target,
    text,
    parts,
    sha256,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, Buffer.byteLength(text)),
    gzipBytes: gzipOf(parts.filter(({ later }) => !later)),
    gzipTotal: gzipOf(parts),
    metafile,
    warnings,
  }
}

/** A bundle that is not delivered: a control. Packages, workers and pages are left out. */
export interface Mutant {
  /** Of all its files. */
  readonly bytes: number
  readonly metafile: Metafile
}

/**
 * Bundles one generated text once for each set of defines, in one run of esbuild, so that common files are read, parsed
 * and printed once. A set of defines applies only to the generated text; in all other files the defines of the target
 * apply. `bytes` is the size of all files that an entry loads, so two results differ by the files that only one of them
 * loads.
 * @throws SvcError `ERR_BUILD_FAILED` with esbuild's messages
 */
export async function bundleMutants(
  generated: Generated,
  choices: readonly TargetPlan['defines'][],
): Promise<Mutant[]> {
  const { entryPoints, plugin } = generatedEntries(generated, choices)
  const { metafile } = await orFail(
    generated,
    build({
      ...optionsOf(generated.target, false),
      ...lean,
      entryPoints,
      plugins: [nothingCarried, withoutAbout(...generated.ownModules), plugin],
    }),
  )
  return choices.map((_, index) => {
    const account = accountOfOutput(metafile, `${OUT}/${index}.js`)
    return { bytes: Object.values(account.outputs).reduce((sum, { bytes }) => sum + bytes, 0), metafile: account }
  })
}

/** esbuild shares files only between ES modules. The banner is left out, because these files are never run. */
const lean = { format: 'esm', splitting: true, banner: {}, packages: 'external' } as const

/** Workers and pages would be bundles of their own. */
const nothingCarried: Plugin = {
  name: 'nothing-carried',
  setup: (context) =>
    context.onLoad({ filter: carriedSource }, () => ({
      contents: 'export const workerSource = "", pageSource = {}',
    })),
}

interface Run {
  readonly files: readonly OutputFile[]
  readonly metafile: Metafile
  readonly warnings: readonly string[]
}

/** How a text is bundled for delivery, and what to make of the result. */
function prepare(generated: Generated): { options: Options; toRun: (result: Promise<Result>) => Promise<Run> } {
  const { target } = generated
  const carried = new Map<string, Metafile>()
  const report = (source: string, account: Metafile): void => void carried.set(source, account)
  const { entryPoints, plugin } = generatedEntries(generated, [target.defines])
  const options: Options = {
    ...optionsOf(target, isSplit(target)),
    ...reported,
    entryPoints,
    plugins: [
      ...(target.form === 'main' ? [lazyBuiltins(root), jsonText()] : []),
      withoutAbout(...generated.ownModules),
      workerText(report),
      pageText(report),
      plugin,
    ],
  }
  return {
    options,
    toRun: async (result) => {
      const { outputFiles, metafile, warnings } = await orFail(generated, result)
      return {
        files: outputFiles,
        metafile: mergeCarried(metafile, carried),
        warnings: judgeWarnings(warnings, generated.base),
      }
    },
  }
}

function optionsOf(target: TargetPlan, split: boolean): Options {
  return {
    outdir: OUT,
    ...esbuildOptions(target, split),
    absWorkingDir: root,
    write: false,
    metafile: true,
    logLevel: 'silent',
  }
}

async function orFail({ target, base }: Generated, result: Promise<Result>): Promise<Result> {
  return result.catch((error: unknown) => {
    throw buildFail('ERR_BUILD_FAILED', { ...explainFailure(error, target.form, base), cause: error })
  })
}

type Result = BuildResult<Options>

type Options = BuildOptions & { readonly write: false; readonly metafile: true }

/** The folder of what is one file, in esbuild's account; nothing is written there. */
const OUT = 'bundle'

/** The name of a library's entry, also where it is one of several files. */
const ENTRY_NAME = 'index.mjs'
