/**
 * Loads node:sqlite when the first store is opened, so that commands without a store start faster. When Node 22 loads
 * it, it prints a warning that the module is experimental. The warning is dropped, because the tests of the store run
 * on the version of Node that ships.
 */
import type { DatabaseSync } from 'node:sqlite'
import { fail } from '../errors.ts'

let loaded: typeof DatabaseSync | undefined

/**
 * The class `DatabaseSync`.
 * @throws SvcError `receipt_store_unavailable` if this Node does not have it
 */
export function loadSqlite(): typeof DatabaseSync {
  loaded ??= quietly(() => process.getBuiltinModule?.('node:sqlite')?.DatabaseSync)
  if (loaded !== undefined) return loaded
  throw fail('receipt_store_unavailable', {
    message: `The receipt store needs Node 22.16 or newer, and this is ${process.versions.node}.`,
    hint: 'Use a newer Node, or the single executable, which brings its own.',
  })
}

/** Runs without that one warning; all others are printed. */
function quietly<T>(run: () => T): T {
  const { emitWarning } = process
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest)
  }) as typeof process.emitWarning
  try {
    return run()
  } finally {
    process.emitWarning = emitWarning
  }
}
