/** How a file came into a bundle. */
import type { Metafile } from 'esbuild'
import { entryOutput } from '../outputs.ts'
import { inputPath, shown } from '../paths.ts'

/**
 * The shortest chain of imports from the entry to `target`, a key of the metafile or a module outside of the bundle.
 * Files outside the project are shown from `base`.
 */
export function importChain(metafile: Metafile, target: string, base: string): string[] {
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
  return chain.map((path) => (path in metafile.inputs ? shown(inputPath(path), base) : path))
}
