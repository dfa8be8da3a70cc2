/** Cells that are known to fail, each with its cause. Any other failing cell fails the run. */
import type { Bundler } from './bundlers.ts'
import type { Cell } from './cells.ts'
import type { Runtime } from './runtimes/runtime.ts'

interface Known {
  readonly runtime: string
  readonly cell: string
  readonly cause: string
}

const known: readonly Known[] = []

/** The known cause why a cell fails. Returns undefined if there is none. */
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

/** The known cause why the bundle of an entry fails. Returns undefined if there is none. */
export function bundleCauseOf({ title }: Pick<Bundler, 'title'>, { id }: Cell): string | undefined {
  return bundled.find(({ runtime, cell }) => runtime === title && cell === id)?.cause
}
