/** The part of the store that boards add: their tables and the audit chain. */
import type { StorePart } from '../../../core/capabilities.ts'
import type {} from '../../sync/capabilities.ts'
import { checkAudit, createAuditChain } from './audit/audit-chain.ts'
import { embedBoards } from './embed-boards.ts'
import { migrations } from './migrations.ts'
import { IS_BOARD } from './statements.ts'

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
