/** The tools that read boards. */
import type { CardDetail, Conflict, Project } from '../api.ts'
import type { BoardActions } from '../cli/api.ts'
import { createRoom, cut, pageOf, unknownCursor } from './pages.ts'
import { gives, inputs, outputs, takes } from './schemas.ts'
import { type Input, memberOf, type Tool, type ToolContext, textOf, viewpoint } from './tool.ts'
import { listBoards, showBoard, type Viewpoint, viewCard } from './views.ts'

/** Most comments of a page. The text of each costs a request. */
const MAX_COMMENTS = 50
/** Most conflicts that are read for a page. */
const CONFLICTS = 25

const { text: TEXT, count: COUNT, time: TIME, nextCursor: NEXT } = outputs
const cursorOf = (input: Input): string | undefined => memberOf(input, 'cursor')

/** The tools. */
export const readTools: readonly Tool[] = [
  {
    name: 'board_list',
    title: 'List the boards',
    description: 'The boards of the project with their columns, and the number of cards in each.',
    inputSchema: takes([], { cursor: inputs.cursor }),
    outputSchema: gives({
      project: TEXT,
      revision: COUNT,
      boards: outputs.boards,
      unplaced: COUNT,
      conflicts: COUNT,
      nextCursor: NEXT,
    }),
    reads: true,
    run: async (input, context) => listBoards(await context.board.project(), viewpoint(context), cursorOf(input)),
  },
  {
    name: 'board_show',
    title: 'Show a board or a card',
    description:
      'A board with its cards: who holds which, until when, and what is in conflict. With `card`, that card with its text and newest comments. Without either, the only board. Large boards and long discussions come in pages.',
    inputSchema: takes([], { board: inputs.board, card: inputs.card, cursor: inputs.cursor }),
    outputSchema: gives({
      project: TEXT,
      revision: COUNT,
      nowMs: TIME,
      board: outputs.board,
      card: outputs.card,
      nextCursor: NEXT,
    }),
    reads: true,
    run: showWhat,
  },
  {
    name: 'conflicts_list',
    title: 'List the conflicts',
    description:
      'Values that were written concurrently and differ. `shown` is the candidate that the board shows meanwhile. People settle conflicts; do not settle one unless you were asked to.',
    inputSchema: takes([], { cursor: inputs.cursor }),
    outputSchema: gives({ project: TEXT, revision: COUNT, conflicts: outputs.conflicts, nextCursor: NEXT }),
    reads: true,
    run: async (input, { board }) => listConflicts(board, cursorOf(input)),
  },
]

async function showWhat(input: Input, context: ToolContext) {
  const { board } = context
  const project = await board.project()
  const from = viewpoint(context)
  const base = { project: project.project, revision: project.revision, nowMs: from.nowMs }
  if (input['card'] !== undefined) {
    return { ...base, board: null, ...(await showCard(project, textOf(input, 'card'), board, from, cursorOf(input))) }
  }
  const name = input['board'] as string | undefined
  const chosen = name === undefined ? board.find.onlyBoard(project) : board.find.board(project, name)
  if (chosen === undefined) return { ...base, board: null, card: null, nextCursor: null }
  return { ...base, ...showBoard(project, chosen.boardId, from, cursorOf(input)), card: null }
}

async function listConflicts(board: BoardActions, cursor: string | undefined) {
  const { project } = await board.project()
  const query = `limit=${CONFLICTS}${cursor === undefined ? '' : `&after=${encodeURIComponent(cursor)}`}`
  const read = await board.service.get<{ conflicts: readonly Conflict[]; next: string | null; revision: number }>(
    `/api/v1/kbd/projects/${encodeURIComponent(project)}/conflicts?${query}`,
  )
  const all = read.conflicts.map(({ conflictId, kind, register, shown, candidates }) => ({
    conflictId,
    kind,
    register,
    shown,
    candidates,
  }))
  const { items, nextCursor } = pageOf(all, undefined, ({ conflictId }) => conflictId)
  return { project, revision: read.revision, conflicts: items, nextCursor: nextCursor ?? read.next }
}

async function showCard(
  project: Project,
  name: string,
  { find, service }: BoardActions,
  from: Viewpoint,
  cursor: string | undefined,
) {
  const card = find.card(project, name)
  const path = `/api/v1/kbd/projects/${project.project}/cards/${card.cardId}`
  const { comments } = await service.get<CardDetail>(path)
  const read = async (hash: string | null): Promise<string | null> => {
    const bytes = hash === null ? undefined : await service.getBytes(`/api/v1/kbd/content/${hash}`)
    return bytes === undefined ? null : cut(new TextDecoder().decode(bytes))
  }
  const body = await read(card.bodyHash)
  const room = createRoom()
  room.takes(body)
  // The newest comments come first, as many as fit. The cursor is the id of the oldest comment of the page before.
  const last = cursor === undefined ? comments.length : comments.findIndex(({ commentId }) => commentId === cursor)
  if (last < 0) throw unknownCursor()
  const shown: { readonly commentId: string }[] = []
  let at = last - 1
  for (; at >= 0 && shown.length < MAX_COMMENTS; at--) {
    const { commentId, bodyHash, deviceId, issuedAtMs } = comments[at]!
    const view = { commentId, text: await read(bodyHash), deviceId, issuedAtMs }
    if (!room.takes(view) && shown.length > 0) break
    shown.unshift(view)
  }
  const view = { ...viewCard(project, card, from), column: card.place?.columnId ?? null, body, comments: shown }
  return { card: view, nextCursor: at < 0 ? null : (shown[0]?.commentId ?? null) }
}
