/** Checks the forms of commands before the first of them is sent, so that no action is left half done by a wrong value. */
import { CommandRefusal } from '../../../core/command.ts'
import type { Command } from '../api.ts'
import { COMMAND_FORMS } from '../engine/commands/fields.ts'
import { findBlank, inWords } from '../engine/commands/words.ts'

/** Throws `command_invalid` with the member of the first command that breaks its form. */
export function requireForms(commands: readonly Command[]): void {
  for (const command of commands) {
    const member = COMMAND_FORMS[command.type]?.(command, '/command') ?? findBlank(command)
    if (member === undefined) continue
    const message = inWords(command, member) ?? `${command.type} has a member that is missing or not allowed: ${member}`
    throw new CommandRefusal('command_invalid', message, { member })
  }
}
