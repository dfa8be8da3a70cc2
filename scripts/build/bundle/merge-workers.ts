/** Makes one account of a bundle and of the worker code that it carries as text, so that the proof sees both. */
import { relative } from 'node:path'
import type { Metafile } from 'esbuild'
import { root } from '../paths.ts'

/**
 * Adds the files of workers, by the path of the module that carries each, to an account: as imports of that module, with the
 * bytes that were counted as its text.
 */
export function mergeWorkers({ inputs, outputs }: Metafile, workers: ReadonlyMap<string, Metafile>): Metafile {
  const merged = { inputs: { ...inputs }, outputs: { ...outputs } }
  for (const [source, worker] of workers) {
    const carrier = relative(root, source).replaceAll('\\', '/')
    const carrying = inputs[carrier]
    const [code] = Object.values(worker.outputs)
    if (carrying === undefined || code === undefined) continue
    merged.inputs = { ...worker.inputs, ...merged.inputs }
    const imports = [...carrying.imports, { path: code.entryPoint!, kind: 'dynamic-import' as const }]
    merged.inputs[carrier] = { ...carrying, imports }
    for (const [name, output] of Object.entries(merged.outputs))
      if (carrier in output.inputs) merged.outputs[name] = withWorker(output, carrier, code)
  }
  return merged
}

function withWorker(output: Output, carrier: string, code: Output): Output {
  const inputs = { ...output.inputs }
  const add = (input: string, bytes: number): void => {
    inputs[input] = { bytesInOutput: (inputs[input]?.bytesInOutput ?? 0) + bytes }
  }
  for (const [input, { bytesInOutput }] of Object.entries(code.inputs)) {
    add(input, bytesInOutput)
    add(carrier, -bytesInOutput)
  }
  return { ...output, inputs, imports: [...output.imports, ...code.imports] }
}

type Output = Metafile['outputs'][string]
