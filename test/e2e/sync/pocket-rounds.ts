/** The rounds of the app in docs/examples/pocket-board: each has one card and one push. */
import type { Command, Project } from '../../../plugins/kbd/api.ts'
import { uuidOf } from '../../unit/kbd/boards.ts'

/** The app, as its example returns it. */
export interface PocketApp {
  show(): Promise<Project>
  invite(code: string): Promise<void> | void
  login(user: string, password: string): Promise<void>
  change(commandId: string, command: Command): Promise<unknown>
  push(id: string): Promise<void>
  sync(): Promise<void>
  close(): Promise<void>
}

const [BOARD, QUEUE] = [uuidOf(1), uuidOf(2)] as const

/** The commands that make a board with a column. */
export const begin: readonly Command[] = [
  { type: 'board.create', boardId: BOARD, title: 'Release 1' },
  { type: 'column.create', columnId: QUEUE, boardId: BOARD, title: 'To do', rank: 'A' },
]

/** The ids of a round, the same whenever it is tried. */
export const uuids = (n: number): { readonly commandId: string } => ({ commandId: uuidOf(1_000_000 + n) })

/** The card of a round. */
export function cardOf(whose: 'phone' | 'colleague', n: number): Command {
  const cardId = uuidOf((whose === 'phone' ? 2_000_000 : 3_000_000) + n)
  return { type: 'card.create', cardId, title: `${whose} ${n}`, boardId: BOARD, columnId: QUEUE, rank: 'V' }
}
