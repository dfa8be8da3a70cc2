/** Makes one account of a bundle and of the worker code that it carries as text, so that the proof sees both. */
import { relative } from 'node:path'
import type { Metafile } from 'esbuild'
import { entryOutput } from './outputs.ts'
import { root } from './paths.ts'

/**
 * Adds the files of workers, by the path of the module that carries each, to the account of the bundle: as imports of that
 * module, with the bytes that were counted as its text.
 */
export function mergeWorkers(metafile: Metafile, workers: ReadonlyMap<string, Metafile>): Metafile {
  let merged = metafile
  for (const [source, worker] of workers) {
    const carrier = relative(root, source).replaceAll('\\', '/')
    if (carrier in metafile.inputs) merged = withWorker(merged, carrier, worker)
  }
  return merged
}

function withWorker(metafile: Metafile, carrier: string, worker: Metafile): Metafile {
  const [code] = Object.values(worker.outputs)
  if (code === undefined) return metafile
  const carrying = metafile.inputs[carrier]!
  const imports = [...carrying.imports, { path: code.entryPoint!, kind: 'dynamic-import' as const }]
  const bundled = entryOutput(metafile)
  const inputs = { ...bundled.inputs }
  const add = (input: string, bytes: number): void => {
    inputs[input] = { bytesInOutput: (inputs[input]?.bytesInOutput ?? 0) + bytes }
  }
  for (const [input, { bytesInOutput }] of Object.entries(code.inputs)) {
    add(input, bytesInOutput)
    add(carrier, -bytesInOutput)
  }
  const output = { ...bundled, inputs, imports: [...bundled.imports, ...code.imports] }
  const outputs = Object.entries(metafile.outputs).map(([name, one]) => [name, one === bundled ? output : one])
  return {
    inputs: { ...worker.inputs, ...metafile.inputs, [carrier]: { ...carrying, imports } },
    outputs: Object.fromEntries(outputs),
  }
}
