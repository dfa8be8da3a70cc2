/** Finds the import chain that brings a file into a bundle. */
import type { Metafile } from 'esbuild'
import { entryOutput } from '../bundle/outputs.ts'
import { inputPath, shown } from '../paths.ts'
import { isGenerated } from './attribute.ts'

/**
 * The shortest chain of imports from the entry to `target`, a key of the metafile or a module outside the bundle. Files
 * outside the project are shown relative to `base`.
 */
export function importChain(metafile: Metafile, target: string, base: string): string[] {
  return namesOf(metafile, inputChain(metafile, target), base)
}

/** The same chain as keys of the metafile. */
export function inputChain(metafile: Metafile, target: string): string[] {
  const entry = entryOutput(metafile).entryPoint!
  const cameFrom = new Map<string, string | undefined>([[entry, undefined]])
  const queue = [entry]
  for (let at = queue.shift(); at !== undefined && !cameFrom.has(target); at = queue.shift()) {
    for (const { path } of metafile.inputs[at]?.imports ?? []) {
      if (cameFrom.has(path)) continue
      cameFrom.set(path, at)
      queue.push(path)
    }
  }
  const chain: string[] = []
  for (let at: string | undefined = target; at !== undefined; at = cameFrom.get(at)) chain.unshift(at)
  return chain
}

/**
 * A chain as messages show it, without the generated files at its beginning, which import every module behind its
 * define.
 */
export function namesOf(metafile: Metafile, chain: readonly string[], base: string): string[] {
  const written = chain.filter((path, index) => index === chain.length - 1 || !isGenerated(path))
  return written.map((path) => (path in metafile.inputs ? shown(inputPath(path), base) : path))
}
