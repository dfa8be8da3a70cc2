/** The account of one bundle, out of that of several which were made side by side. */
import type { Metafile } from 'esbuild'

/** The part of an account that is one entry's: its output with those that it loads, and the inputs that it leads to. */
export function accountOfOutput({ inputs, outputs }: Metafile, name: string): Metafile {
  const entry = outputs[name]!
  return {
    inputs: reached(inputs, entry.entryPoint!),
    outputs: reached(outputs, name),
  }
}

/** What imports lead to from one place, with that itself. */
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
