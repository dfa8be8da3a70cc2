/** Cells that are not green, each with its cause. A red cell that is not listed here fails the run. */
import type { Bundler } from './bundlers.ts'
import type { Cell } from './cells.ts'
import type { Runtime } from './runtimes/runtime.ts'

interface Known {
  readonly runtime: string
  readonly cell: string
  readonly cause: string
}

const known: readonly Known[] = []

/** Why a cell is red; undefined if that is not known. */
export function causeOf({ title }: Runtime, { id }: Cell): string | undefined {
  return known.find(({ runtime, cell }) => runtime === title && cell === id)?.cause
}

const bundled: readonly Known[] = [
  {
    runtime: 'webpack',
    cell: 'embedded',
    cause:
      'The minifier of webpack, Terser 5.51, removes `module.exports = …` of sql.js in its second pass, and the engine rejects with `ERR_SQL_WASM`. Terser alone does the same to the file of `svc/embedded-mobile`. With `compress: { reduce_vars: false }` in its options, or unminified, the bundle works.',
  },
]

/** Why the bundle of an entry is red; undefined if that is not known. */
export function bundleCauseOf({ title }: Pick<Bundler, 'title'>, { id }: Cell): string | undefined {
  return bundled.find(({ runtime, cell }) => runtime === title && cell === id)?.cause
}
