/**
 * Loads node:sqlite when the first store is opened: a command that needs none starts faster without it, and Node 22 warns on
 * loading that the module is experimental, which would stand on stderr of every program. The store's tests run on the
 * version that ships, so the warning says nothing new.
 */
import type { DatabaseSync } from 'node:sqlite'
import { fail } from '../errors.ts'

let loaded: typeof DatabaseSync | undefined

/**
 * The class `DatabaseSync`.
 * @throws SvcError `receipt_store_unavailable` where this Node has none
 */
export function loadSqlite(): typeof DatabaseSync {
  loaded ??= quietly(() => process.getBuiltinModule?.('node:sqlite')?.DatabaseSync)
  if (loaded !== undefined) return loaded
  throw fail('receipt_store_unavailable', {
    message: `The receipt store needs Node 22.16 or newer, and this is ${process.versions.node}.`,
    hint: 'Use a newer Node, or the single executable, which brings its own.',
  })
}

/** Runs without the one warning; every other passes. */
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
