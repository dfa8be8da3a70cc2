/**
 * The capabilities that commands of the sync API give to commands of other families, for tests that run a command in
 * their own process.
 */
import type { CommandCapabilities, CommandIo } from '../../core/declare/command.ts'
import { commands } from '../../plugins/sync/api/commands/commands.ts'

/** Adds `use` and `find` to the rest of a command's `io`. */
export function withGifts(rest: Omit<CommandIo, 'use' | 'find'>): CommandIo {
  const find = <N extends keyof CommandCapabilities>(name: N): CommandCapabilities[N] | undefined =>
    commands.find(({ gives }) => gives?.[name] !== undefined)?.gives?.[name]?.(io)
  const io: CommandIo = {
    ...rest,
    find,
    use(name) {
      const found = find(name)
      if (found === undefined) throw new Error(`No command of the sync API gives ${name}.`)
      return found
    },
  }
  return io
}
