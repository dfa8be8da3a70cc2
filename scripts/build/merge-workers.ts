/** Makes one account of a bundle and of the worker code that it carries as text, so that the proof sees both. */
import { resolve } from 'node:path'
import type { Metafile } from 'esbuild'
import { root } from './paths.ts'

/**
 * Adds the files of workers, by the path of the module that carries each, to the account of the bundle: as imports of that
 * module, with the bytes that were counted as its text.
 */
export function mergeWorkers(metafile: Metafile, workers: ReadonlyMap<string, Metafile>): Metafile {
  const inputs = { ...metafile.inputs }
  const [[name, bundled] = ['', undefined]] = Object.entries(metafile.outputs).filter(
    ([, { entryPoint }]) => entryPoint !== undefined,
  )
  const output = { ...bundled!, imports: [...bundled!.imports], inputs: { ...bundled!.inputs } }
  const add = (input: string, bytes: number): void => {
    output.inputs[input] = { bytesInOutput: (output.inputs[input]?.bytesInOutput ?? 0) + bytes }
  }
  for (const [source, worker] of workers) {
    const carrier = Object.keys(inputs).find((input) => resolve(root, input) === source)
    const [code] = Object.values(worker.outputs)
    if (carrier === undefined || code === undefined) continue
    for (const [input, account] of Object.entries(worker.inputs)) inputs[input] ??= account
    const imports = [...inputs[carrier]!.imports, { path: code.entryPoint!, kind: 'dynamic-import' as const }]
    inputs[carrier] = { ...inputs[carrier]!, imports }
    output.imports.push(...code.imports)
    for (const [input, { bytesInOutput }] of Object.entries(code.inputs)) {
      add(input, bytesInOutput)
      add(carrier, -bytesInOutput)
    }
  }
  return { inputs, outputs: { ...metafile.outputs, [name]: output } }
}
