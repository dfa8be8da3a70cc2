/** The tools of boards: the description, the input, the output and the function of each. */

import type { CardDetail, Conflict, Project } from '../api.ts'
import type { BoardActions } from '../cli/api.ts'
import { createRoom, cut, pageOf, unknownCursor } from './pages.ts'
import type { RunReports } from './run-reports.ts'
import { DEFAULT_LEASE_SECONDS, gives, inputs, type ObjectSchema, outputs, takes } from './schemas.ts'
import { listBoards, showBoard, type Viewpoint, viewCard, viewClaim } from './views.ts'

/** The parts that tools use. */
export interface ToolContext {
  readonly board: BoardActions
  readonly runs: RunReports
  /** The agent name of claims, if the caller gives none. */
  readonly agent: string | null
  readonly now: () => number
}

/** The input of a call, after it was checked against its schema. */
export type Input = Readonly<Record<string, unknown>>

/** One tool. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  /** Whether the tool only reads. */
  readonly reads: boolean
  run(input: Input, context: ToolContext): Promise<Readonly<Record<string, unknown>>>
}

/** Most comments of a page. The text of each costs a request. */
const MAX_COMMENTS = 50
/** Most conflicts that are read for a page. */
const CONFLICTS = 25

const text = (input: Input, name: string): string => input[name] as string
const leaseOf = (input: Input): number =>
  ((input['leaseSeconds'] as number | undefined) ?? DEFAULT_LEASE_SECONDS) * 1000
const viewpoint = ({ board, now }: ToolContext): Viewpoint => ({
  find: board.find,
  nowMs: now(),
  keyId: board.keyId(),
})
const cursorOf = (input: Input): string | undefined => input['cursor'] as string | undefined
const { text: TEXT, count: COUNT, time: TIME, claim: CLAIM, nextCursor: NEXT } = outputs

/** All tools. */
export const tools: readonly Tool[] = [
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
    name: 'card_create',
    title: 'Create a card',
    description: 'Puts a new card at the end of a column, by default of the first one of the board.',
    inputSchema: takes(['title'], {
      title: inputs.title,
      board: inputs.board,
      column: inputs.column,
      body: { ...inputs.text, description: 'The text of the card.' },
      labels: inputs.labels,
    }),
    outputSchema: gives({ cardId: TEXT }),
    reads: false,
    run: async (input, { board }) => ({
      cardId: await board.addCard({
        title: text(input, 'title'),
        board: input['board'] as string | undefined,
        column: input['column'] as string | undefined,
        body: input['body'] as string | undefined,
        labels: input['labels'] as readonly string[] | undefined,
      }),
    }),
  },
  {
    name: 'card_move',
    title: 'Move a card',
    description: 'Moves a card to the end of a column. Claim a card before you work on it.',
    inputSchema: takes(['card', 'column'], { card: inputs.card, column: inputs.column }),
    outputSchema: gives({ cardId: TEXT, columnId: TEXT, revision: COUNT }),
    reads: false,
    async run(input, { board }) {
      const { card, columnId, entered } = await board.moveCard(text(input, 'card'), text(input, 'column'))
      return { cardId: card.cardId, columnId, revision: entered.revision }
    },
  },
  {
    name: 'card_comment',
    title: 'Comment on a card',
    description: 'Adds a comment to a card.',
    inputSchema: takes(['card', 'text'], { card: inputs.card, text: inputs.text }),
    outputSchema: gives({ commentId: TEXT, revision: COUNT }),
    reads: false,
    async run(input, { board }) {
      const { commentId, entered } = await board.comment(text(input, 'card'), text(input, 'text'))
      return { commentId, revision: entered.revision }
    },
  },
  {
    name: 'claim_acquire',
    title: 'Claim a card',
    description:
      'Takes a lease on a card that nobody holds. `generation` and `claimId` are its fencing token: pass both to every system that you change outside of the board, so that the system can refuse an older holder.',
    inputSchema: takes(['card'], { card: inputs.card, leaseSeconds: inputs.lease, agent: inputs.agent }),
    outputSchema: gives({ claim: CLAIM, nowMs: TIME }),
    reads: false,
    async run(input, { board, agent }) {
      const name = (input['agent'] as string | undefined) ?? agent
      return viewJudged(await board.claim(text(input, 'card'), { leaseMs: leaseOf(input), agent: name }), board)
    },
  },
  {
    name: 'claim_renew',
    title: 'Renew a claim',
    description: 'Sets a new end of your own lease on a card, from now on. Fails if the lease has ended: then stop.',
    inputSchema: takes(['card'], { card: inputs.card, leaseSeconds: inputs.lease }),
    outputSchema: gives({ claim: CLAIM, nowMs: TIME }),
    reads: false,
    run: async (input, { board }) => viewJudged(await board.renew(text(input, 'card'), leaseOf(input)), board),
  },
  {
    name: 'claim_release',
    title: 'Release a claim',
    description: 'Ends your own lease on a card, so that others may take it.',
    inputSchema: takes(['card'], { card: inputs.card }),
    outputSchema: gives({ claimId: TEXT, revision: COUNT }),
    reads: false,
    async run(input, { board }) {
      const { claimId, entered } = await board.release(text(input, 'card'))
      return { claimId, revision: entered.revision }
    },
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
  {
    name: 'run_report',
    title: 'Report a run',
    description:
      'Reports your work as a run of AG-UI events, which people follow: `started` first, then steps and messages, at last `finished` or `failed`. Use the runId of the answer in what follows.',
    inputSchema: takes([], {
      runId: inputs.runId,
      card: { ...inputs.card, description: 'The card that the run is about; only with `started`.' },
      state: inputs.state,
      text: { ...inputs.text, description: 'The name of a step, the text of a message, or why the run failed.' },
      events: inputs.events,
    }),
    outputSchema: gives({ runId: TEXT, status: TEXT, lastSeq: COUNT }),
    reads: false,
    async run(input, { runs, board }) {
      const card = input['card'] as string | undefined
      const threadId = card === undefined ? undefined : board.find.card(await board.project(), card).cardId
      return runs.report({ ...input, threadId })
    },
  },
]

function viewJudged({ claim, nowMs }: Awaited<ReturnType<BoardActions['claim']>>, board: BoardActions) {
  return { claim: viewClaim(claim, board.keyId()), nowMs }
}

async function showWhat(input: Input, context: ToolContext) {
  const { board } = context
  const project = await board.project()
  const from = viewpoint(context)
  const base = { project: project.project, revision: project.revision, nowMs: from.nowMs }
  if (input['card'] !== undefined) {
    return { ...base, board: null, ...(await showCard(project, text(input, 'card'), board, from, cursorOf(input))) }
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
