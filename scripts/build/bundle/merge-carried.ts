/**
 * Merges the metafile of a bundle with the metafiles of the code that it carries as text (workers, pages), so that the
 * proof covers both.
 */
import { relative } from 'node:path'
import type { Metafile } from 'esbuild'
import { root } from '../paths.ts'

/**
 * Adds the inputs of carried bundles to the metafile of the carrying bundle, as imports of the carrying module, and
 * moves their bytes from that module to those inputs.
 */
export function mergeCarried({ inputs, outputs }: Metafile, carried: ReadonlyMap<string, Metafile>): Metafile {
  const merged = { inputs: { ...inputs }, outputs: { ...outputs } }
  for (const [source, account] of carried) {
    const carrier = relative(root, source).replaceAll('\\', '/')
    const carrying = inputs[carrier]
    const carriedOutputs = Object.values(account.outputs)
    if (carrying === undefined || carriedOutputs.length === 0) continue
    merged.inputs = { ...account.inputs, ...merged.inputs }
    const entries = carriedOutputs.flatMap(({ entryPoint }) => entryPoint ?? [])
    const imports = entries.map((path) => ({ path, kind: 'dynamic-import' as const }))
    merged.inputs[carrier] = { ...carrying, imports: [...carrying.imports, ...imports] }
    for (const [name, output] of Object.entries(merged.outputs))
      if (carrier in output.inputs)
        merged.outputs[name] = carriedOutputs.reduce((sum, one) => withCarried(sum, carrier, one), output)
  }
  return merged
}

function withCarried(output: Output, carrier: string, carried: Output): Output {
  const inputs = { ...output.inputs }
  const add = (input: string, bytes: number): void => {
    inputs[input] = { bytesInOutput: (inputs[input]?.bytesInOutput ?? 0) + bytes }
  }
  for (const [input, { bytesInOutput }] of Object.entries(carried.inputs)) {
    add(input, bytesInOutput)
    add(carrier, -bytesInOutput)
  }
  return { ...output, inputs, imports: [...output.imports, ...carried.imports] }
}

type Output = Metafile['outputs'][string]
