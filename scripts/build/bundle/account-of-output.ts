/** Extracts the metafile of one bundle from the metafile of a run that built several bundles. */
import type { Metafile } from 'esbuild'

/**
 * The part of a metafile that belongs to one entry: its output, the outputs that it loads, and the inputs that it
 * imports.
 */
export function accountOfOutput({ inputs, outputs }: Metafile, name: string): Metafile {
  const entry = outputs[name]!
  return {
    inputs: reached(inputs, entry.entryPoint!),
    outputs: reached(outputs, name),
  }
}

/** All items that imports lead to from `from`, including `from`. */
function reached<T extends { readonly imports: readonly { readonly path: string; readonly external?: boolean }[] }>(
  all: Readonly<Record<string, T>>,
  from: string,
): Record<string, T> {
  const found: Record<string, T> = {}
  const queue = [from]
  for (const name of queue) {
    const one = all[name]
    if (one === undefined || name in found) continue
    found[name] = one
    for (const { path, external } of one.imports) if (external !== true) queue.push(path)
  }
  return found
}
