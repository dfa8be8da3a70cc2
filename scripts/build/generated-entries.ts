/**
 * Gives the bundler what was generated from memory: what is bundled only as a control stands in no folder on the disk. One
 * text may be there several times, each time folded with other defines; such copies are told apart by a suffix.
 */
import { basename, resolve } from 'node:path'
import type { OnLoadResult, OnResolveResult, Plugin } from 'esbuild'
import { toDefineText } from './defines.ts'
import { foldDefines } from './fold-defines.ts'
import type { Generated } from './generate.ts'
import type { TargetPlan } from './plan.ts'

const NAMESPACE = 'generated'

/** The entries of a generated text, one for each set of defines, and the esbuild plugin that knows them. */
export function generatedEntries(
  { folder, files }: Generated,
  choices: readonly TargetPlan['defines'][],
): { entryPoints: { in: string; out: string }[]; plugin: Plugin } {
  const entryPoints = choices.map((_, index) => ({ in: `${NAMESPACE}:${index}`, out: String(index) }))
  const generated = (name: string, index: number): OnResolveResult => ({
    path: resolve(folder, name),
    namespace: NAMESPACE,
    suffix: index === 0 ? '' : `?${index}`,
    pluginData: index,
  })
  const load = async (name: string, index: number): Promise<OnLoadResult> => {
    const own = { resolveDir: folder, pluginData: index }
    if (name === 'manifest.ts') return { ...own, contents: files[name]!, loader: 'ts' }
    return { ...own, contents: await foldDefines(files[name]!, toDefineText(choices[index]!)), loader: 'js' }
  }
  const setup: Plugin['setup'] = (context) => {
    // By filters that no other import passes: each call of a plugin costs more than the reading of a file.
    context.onResolve({ filter: /^generated:\d+$/ }, ({ path }) => generated('entry.ts', Number(path.split(':')[1])))
    context.onResolve({ filter: /^\.\/(?:registry|manifest)\.ts$/, namespace: NAMESPACE }, ({ path, pluginData }) =>
      generated(path, pluginData as number),
    )
    context.onResolve({ filter: /^\.\.?\//, namespace: NAMESPACE }, ({ path }) => ({ path: resolve(folder, path) }))
    context.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path, pluginData }) =>
      load(basename(path), pluginData as number),
    )
  }
  return { entryPoints, plugin: { name: NAMESPACE, setup } }
}
