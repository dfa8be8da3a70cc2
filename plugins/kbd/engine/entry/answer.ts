/** The response to a command that is in the graph, new or known. */
import type { Standing } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { ReadCommand } from '../commands/envelope.ts'
import type { KbdReads } from '../reads/reads.ts'

/** The response to a command; the standing and the conflicts are the present ones. */
export interface Entered extends Standing {
  /** 200 if the command was known before. */
  readonly status: 200 | 201
  readonly commandId: string
  readonly id: string
  /** Ids of all open conflicts. */
  readonly conflicts: readonly string[]
}

/** The response to a command that is in the graph. */
export function answerTo(ledger: KbdReads, status: 200 | 201, { id, project, envelope }: ReadCommand): Entered {
  return {
    status,
    commandId: envelope.commandId.toLowerCase(),
    id,
    ...ledger.standing(project),
    conflicts: ledger.conflictIds(project),
  }
}

/**
 * Check 11: the response to a known command; undefined if the command is new. Throws `command_id_conflict` if the
 * device has used the commandId for another command.
 */
export function replay(ledger: KbdReads, command: ReadCommand): Entered | undefined {
  const { envelope, project, id } = command
  const oldCommand = ledger.findByCommandId(project, envelope.signerKeyId, envelope.commandId)
  if (oldCommand === undefined) return undefined
  // A device that forked may have used a commandId twice, and peers may have brought both commands.
  if (oldCommand.id !== id && ledger.command(project, id) === undefined) throw fail('command_id_conflict')
  return answerTo(ledger, 200, command)
}
