/** Keeps the proven commands of waiting pushes in memory, so that their signatures are not verified again. */
import type { ReadCommand } from '../proving/prove-commands.ts'

/** A cache of proven commands. It is emptied when it has more than 32 MiB of their texts. */
export interface ProvenCache {
  get(id: string): ReadCommand | undefined
  add(commands: readonly ReadCommand[]): void
  drop(ids: Iterable<string>): void
}

const MAX_BYTES = 33_554_432

/** Creates an empty cache. */
export function createProvenCache(): ProvenCache {
  const proven = new Map<string, ReadCommand>()
  let bytes = 0
  const drop = (ids: Iterable<string>): void => {
    for (const id of ids) {
      bytes -= proven.get(id)?.text.length ?? 0
      proven.delete(id)
    }
  }
  return {
    get: (id) => proven.get(id),
    add(commands) {
      for (const command of commands) {
        if (bytes > MAX_BYTES) drop([...proven.keys()])
        if (!proven.has(command.id)) bytes += command.text.length
        proven.set(command.id, command)
      }
    },
    drop,
  }
}
