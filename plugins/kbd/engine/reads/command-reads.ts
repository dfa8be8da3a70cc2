/** Reads of the commands of a project. */
import type { CommandEnvelope, ListedCommand } from '../../api.ts'
import { numberOf, type ReadingParts } from './read-parts.ts'
import type { CommandRow } from './statements.ts'

/** Commands, each after its parents, and whether there are more. */
export interface CommandPage {
  readonly commands: readonly ListedCommand[]
  readonly more: boolean
}

/** Reads of commands. */
export interface CommandReads {
  /**
   * The commands that came after the command `after`, in order. Returns undefined if the project has no such command.
   */
  commands(project: string, after: string | undefined, limit: number): CommandPage | undefined
  command(project: string, id: string): ListedCommand | undefined
  /** Those of the ids that are commands of the project. */
  known(project: string, ids: readonly string[]): ReadonlySet<string>
  /** The first command of a device with this commandId. Returns undefined if the project has none. */
  findByCommandId(project: string, signerKeyId: string, commandId: string): { readonly id: string } | undefined
}

/** Makes the reads of commands. */
export function createCommandReads({ graph, statements }: ReadingParts): CommandReads {
  return {
    commands(project, after, limit) {
      const p = numberOf(graph, project)
      const start = after === undefined ? 0 : graph.node(p, after)?.pos
      if (start === undefined) return undefined
      const rows = statements.commandsAfter(p, start, limit + 1)
      const commands = rows.slice(0, limit).map(([id, envelope, isAhead]) => ({
        ...toListed([id, envelope]),
        ...(isAhead === 1 && { fromFuture: true as const }),
      }))
      return { commands, more: rows.length > limit }
    },
    command(project, id) {
      const row = statements.command(numberOf(graph, project), id)
      return row === undefined ? undefined : toListed(row)
    },
    known(project, ids) {
      const p = numberOf(graph, project)
      return new Set(ids.filter((id) => graph.node(p, id) !== undefined))
    },
    findByCommandId(project, signerKeyId, commandId) {
      const id = statements.idOfCommandId(numberOf(graph, project), signerKeyId, commandId.toLowerCase())
      return id === undefined ? undefined : { id }
    },
  }
}

/** Makes a page from rows. */
export function toPage(rows: readonly CommandRow[], more: boolean): CommandPage {
  return { commands: rows.map(toListed), more }
}

function toListed([id, envelope]: CommandRow): ListedCommand {
  return { id, envelope: JSON.parse(envelope) as CommandEnvelope }
}
