/** The output files of a target, as the metafile lists them. */

import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'

type Output = Metafile['outputs'][string]

/** The output of the generated entry. Outputs that are loaded later have other entry points. */
export function entryOutput({ outputs }: Pick<Metafile, 'outputs'>): Output {
  return Object.entries(outputs).find(([, { entryPoint }]) => /(?:^|\/)entry\.ts(?:\?\d+)?$/.test(entryPoint ?? ''))![1]
}

/** The outputs that are loaded with the entry, the entry first. All other outputs are loaded on first use. */
export function loadedAtOnce({ outputs }: Pick<Metafile, 'outputs'>): Set<Output> {
  const entryOutputs = new Set([entryOutput({ outputs })])
  for (const { imports } of entryOutputs) {
    for (const { path, kind } of imports) {
      const output = outputs[path]
      if (output !== undefined && kind === 'import-statement') entryOutputs.add(output)
    }
  }
  return entryOutputs
}

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
  const items: Record<string, T> = {}
  const queue = [from]
  for (const name of queue) {
    const one = all[name]
    if (one === undefined || name in items) continue
    items[name] = one
    for (const { path, external } of one.imports) if (external !== true) queue.push(path)
  }
  return items
}

/** A file of a bundle, other than the entry. */
export interface Part {
  readonly name: string
  readonly base64: string
  readonly bytes: number
  readonly gzipBytes: number
  readonly sha256: string
  /** True if the file is loaded on first use, false if it is loaded with the entry. */
  readonly later: boolean
}

/** Creates a part from the contents of a file. */
export function toPart(name: string, contents: Uint8Array, later: boolean): Part {
  return {
    name,
    base64: Buffer.from(contents).toString('base64'),
    bytes: contents.length,
    gzipBytes: gzipSize(contents),
    sha256: createHash('sha256').update(contents).digest('hex'),
    later,
  }
}

/** Size of one file in bytes after gzip compression at the highest level. */
export function gzipSize(bytes: Uint8Array): number {
  return gzipSync(bytes, { level: 9 }).length
}
