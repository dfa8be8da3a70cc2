/** The files that esbuild makes of a target, as its account has them. */
import type { Metafile } from 'esbuild'

type Output = Metafile['outputs'][string]

/** The output that the generated entry became; what is loaded later has entry points of its own. */
export function entryOutput({ outputs }: Pick<Metafile, 'outputs'>): Output {
  return Object.entries(outputs).find(([, { entryPoint }]) => /(?:^|\/)entry\.ts(?:\?\d+)?$/.test(entryPoint ?? ''))![1]
}

/** The outputs that are loaded with the entry, the entry first; the others are loaded when they are first needed. */
export function loadedAtOnce({ outputs }: Pick<Metafile, 'outputs'>): Set<Output> {
  const found = new Set([entryOutput({ outputs })])
  for (const { imports } of found) {
    for (const { path, kind } of imports) {
      const output = outputs[path]
      if (output !== undefined && kind === 'import-statement') found.add(output)
    }
  }
  return found
}
