/**
 * Provides generated files to the bundler from memory, because bundles that are only built as controls have no folder
 * on the disk. The same text can be bundled several times with different defines; a suffix distinguishes the copies.
 */
import { basename, join, resolve } from 'node:path'
import type { OnLoadResult, OnResolveResult, Plugin } from 'esbuild'
import { foldDefines } from '../generate/fold-defines.ts'
import type { Generated } from '../generate/generate.ts'
import { toDefineText } from '../plan/defines.ts'
import type { TargetPlan } from '../plan/target-plan.ts'

const NAMESPACE = 'generated'

/** The entry points of a generated text, one for each set of defines, and the esbuild plugin that resolves them. */
export function generatedEntries(
  { folder, files }: Generated,
  choices: readonly TargetPlan['defines'][],
): { entryPoints: { in: string; out: string }[]; plugin: Plugin } {
  const entry = join(folder, 'entry.ts')
  const copyOf = (path: string, index: number): OnResolveResult => ({
    path,
    suffix: index === 0 ? '' : `?${index}`,
    pluginData: index,
  })
  const load = async (name: string, index: number): Promise<OnLoadResult> => {
    const base = { resolveDir: folder, pluginData: index }
    if (name === 'manifest.ts') return { ...base, contents: files[name]!, loader: 'ts' }
    const contents = await foldDefines(files[name]!, toDefineText(choices[index]!))
    return { ...base, contents, loader: 'js' }
  }
  const setup: Plugin['setup'] = (context) => {
    // The filters match no other import, because each call of a plugin takes longer than reading a file.
    context.onResolve({ filter: /^generated:\d+$/ }, ({ path }) => copyOf(entry, Number(path.split(':')[1])))
    context.onResolve({ filter: GENERATED_IMPORT }, ({ path, resolveDir, pluginData }) => {
      if (resolveDir !== folder) return undefined
      const to = resolve(folder, path)
      return path.startsWith('..') ? { path: to } : { ...copyOf(to, pluginData as number), namespace: NAMESPACE }
    })
    context.onLoad({ filter: /\bentry\.ts$/ }, ({ path, pluginData }) =>
      path === entry ? load('entry.ts', pluginData as number) : undefined,
    )
    context.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path, pluginData }) =>
      load(basename(path), pluginData as number),
    )
  }
  const entryPoints = choices.map((_, index) => ({ in: `${NAMESPACE}:${index}`, out: String(index) }))
  return { entryPoints, plugin: { name: NAMESPACE, setup } }
}

/** The imports of generated text: modules outside `.build/<profile>/<form>/`, and the generated files beside it. */
const GENERATED_IMPORT = /^(?:\.\.\/\.\.\/\.\.\/|\.\/(?:registry|manifest)\.ts$)/
