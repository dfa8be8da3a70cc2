/** What boards add to the store: their tables and the audit chain; and to an embedded engine, until it has boards. */
import type { StorePart } from '../../../core/declare/capabilities.ts'
import type { Pin } from '../../sync/api.ts'
import type { EmbeddedAddition, EmbeddedParts, LedgerReads, PushAudit } from '../../sync/capabilities.ts'
import { checkAudit, createAuditChain } from './audit/audit-chain.ts'
import { migrations } from './migrations.ts'
import { hasCommands, IS_BOARD, readProjectNames } from './statements.ts'

/** The store part of `kbd.engine`. */
export const storePart: StorePart = {
  migrations,
  contents: [
    { name: 'boards', table: 'kbd_views', where: IS_BOARD, words: ['board', 'boards'] },
    { name: 'commands', table: 'kbd_commands' },
    { name: 'audit', table: 'audit' },
  ],
  check: checkAudit,
  audit: createAuditChain,
  embed: embedBoards,
}

/** The parts of an engine that `createBoards` uses. */
export interface EmbeddedBoardParts extends Omit<EmbeddedParts, 'shared'> {
  readonly shared: EmbeddedParts['shared'] & {
    /** Names of all projects with commands, in order. */
    readonly projectNames: (ledger: LedgerReads) => readonly string[]
  }
  /** After this call, pushes pin what `pin` returns, and `refused` is called for refused pushes. */
  attach(boards: { readonly pin: Pin; readonly refused: PushAudit }): void
}

/** Adds boards to an embedded engine. Until `attach` is called, a push of a project that has commands is refused. */
export function embedBoards(parts: EmbeddedParts): EmbeddedAddition {
  // Without boards nothing can be pinned, so the receipt of such a push would say that its project has no commands.
  let pin: Pin = ({ driver }, project) => {
    if (!hasCommands(driver, project)) return undefined
    throw parts.unprepared('The project has commands.', 'call createBoards(engine) before its first push')
  }
  let refused: PushAudit = async () => {}
  const boardParts: EmbeddedBoardParts = {
    ...parts,
    shared: { ...parts.shared, projectNames: readProjectNames },
    attach(boards) {
      pin = boards.pin
      refused = boards.refused
    },
  }
  return { pin: (ledger, project) => pin(ledger, project), refused: (push) => refused(push), parts: boardParts }
}
