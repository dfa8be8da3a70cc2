/** The output files of a target, as the metafile lists them. */
import type { Metafile } from 'esbuild'

type Output = Metafile['outputs'][string]

/** The output of the generated entry. Outputs that are loaded later have other entry points. */
export function entryOutput({ outputs }: Pick<Metafile, 'outputs'>): Output {
  return Object.entries(outputs).find(([, { entryPoint }]) => /(?:^|\/)entry\.ts(?:\?\d+)?$/.test(entryPoint ?? ''))![1]
}

/** The outputs that are loaded with the entry, the entry first. All other outputs are loaded on first use. */
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
