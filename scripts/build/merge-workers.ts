/** Makes one account of a bundle and of the worker code that it carries as text, so that the proof sees both. */
import { resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import { entryOutput } from './outputs.ts'
import { root } from './paths.ts'

/**
 * Adds the files of workers, by the path of the module that carries each, to the account of the bundle: as imports of that
 * module, with the bytes that were counted as its text.
 */
export function mergeWorkers(metafile: Metafile, workers: ReadonlyMap<string, Metafile>): Metafile {
  const merged = structuredClone(metafile)
  const output = entryOutput(merged)
  for (const [source, worker] of workers) {
    const carrier = Object.keys(merged.inputs).find((input) => resolve(root, input) === source)
    const [code] = Object.values(worker.outputs)
    if (carrier === undefined || code === undefined) continue
    for (const [input, account] of Object.entries(worker.inputs)) merged.inputs[input] ??= account
    merged.inputs[carrier]!.imports.push({ path: code.entryPoint!, kind: 'dynamic-import' })
    output.imports.push(...code.imports)
    for (const [input, { bytesInOutput }] of Object.entries(code.inputs)) {
      const entry = (output.inputs[input] ??= { bytesInOutput: 0 })
      entry.bytesInOutput += bytesInOutput
      output.inputs[carrier]!.bytesInOutput -= bytesInOutput
    }
  }
  return merged
}
