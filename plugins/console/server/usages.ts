/** The ways to call the commands of a program, from their help. */
import type { CommandIo } from '../../../core/command.ts'
import type { CommandUsage } from '../session.ts'

/** Each line of a usage, without the optional arguments on its further lines. */
export function usagesOf(commands: CommandIo['commands']): readonly CommandUsage[] {
  return commands.flatMap(({ name, summary, help }) => {
    const [usage = ''] = help.split('\n\n', 1)
    const lines = usage
      .split('\n')
      .map((line) => line.replace(/^Usage:/, '').trim())
      .filter((line) => line.startsWith(`svc ${name}`))
    return (lines.length === 0 ? [`svc ${name}`] : lines).map((line) => ({ usage: line, summary }))
  })
}
