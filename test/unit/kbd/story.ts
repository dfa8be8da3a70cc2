/** Random stories: devices, honest and forking, on nodes that see each other now and then. */
import { isSvcError } from '../../../core/errors.ts'
import type { Command } from '../../../plugins/kbd/api.ts'
import type { ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { canonicalText } from '../../../plugins/sync/engine/canonical.ts'
import { proven, START_MS, type TestNode, uuidOf } from './boards.ts'

/** Numbers that decide a step: what, where, who, and two to choose by. */
export type Step = readonly [what: number, node: number, device: number, first: number, second: number]

/** Devices of a story; the claim order among them is that of their keys. */
const DEVICES = 5
/** What a device makes of a number: a small choice of ids, so that commands meet. */
const ids = {
  board: (n: number) => uuidOf(0x1000 + (n % 2)),
  column: (n: number) => uuidOf(0x2000 + (n % 3)),
  card: (n: number) => uuidOf(0x3000 + (n % 3)),
  comment: (n: number) => uuidOf(0x4000 + (n % 3)),
  link: (n: number) => uuidOf(0x5000 + (n % 2)),
  claim: (n: number) => uuidOf(0x6000 + (n % 40)),
}
const hash = (n: number): string => (n % 7).toString(16).padStart(64, 'a')
const words = ['one', 'two', 'three', '"quoted" \\ ünïcode €']
const word = (n: number): string => words[n % words.length]!
const rank = (n: number): string => ['a', 'b', 'b5', 'zz'][n % 4]!

/** Every command of a story in the order in which they were made. */
export interface Told {
  readonly commands: readonly ProvenCommand[]
  /** Commands that a node refused at its entry, and took from a peer. */
  readonly refused: readonly string[]
}

/** Tells a story on nodes: each command is handed in at one, and others hear of it when they ask. */
export function tell(nodes: readonly TestNode[], project: string, run: number, steps: readonly Step[]): Told {
  const commands: ProvenCommand[] = []
  const refused: string[] = []
  const device = (n: number): number => run * DEVICES + (n % DEVICES)
  const issued = new Map<string, number>()
  const place = { boardId: ids.board(0), columnId: ids.column(0), rank: 'm' }
  const start: readonly Command[] = [
    { type: 'board.create', boardId: ids.board(0), title: 'Board' },
    { type: 'column.create', ...place, title: 'To do' },
    { type: 'card.create', ...place, cardId: ids.card(0), title: 'First' },
  ]
  for (const command of start) {
    const made = proven(command, { project, device: device(0), parents: commands.slice(-1).map(({ id }) => id) })
    for (const { ledger } of nodes) ledger.admit(made, START_MS)
    commands.push(made)
    issued.set(made.id, START_MS)
  }
  /** Ids by node, in the order in which it heard of them. */
  const seen = new Map(nodes.map((node) => [node, commands.map(({ id }) => id)]))

  for (const [at, [what, where, who, one, two]] of steps.entries()) {
    const node = nodes[where % nodes.length]!
    const nowMs = START_MS + 1_000 * (at + 1)
    if (what % 8 === 0) {
      const other = nodes[one % nodes.length]!
      seen.get(other)!.push(...pull(other, node, project, nowMs))
      continue
    }
    const heads = node.ledger.standing(project).frontier.heads
    const here = seen.get(node)!
    // A device that forks names some commands that it has seen, and not those that it made since.
    const forks = what % 8 === 1
    const parents = forks ? [...new Set([here[one % here.length]!, here[two % here.length]!])] : heads
    const command = commandOf(node, project, what >> 3, one, two)
    const latest = Math.max(...parents.map((id) => issued.get(id)!))
    const issuedAtMs = forks ? latest + ((nowMs - latest) >> 1) : nowMs
    const made = proven(command, { project, device: device(who), parents, issuedAtMs })
    try {
      node.ledger.enter(made, nowMs)
    } catch (error) {
      // What this node refuses, another may have taken: it comes as a peer's.
      if (!isSvcError(error)) throw error
      refused.push(error.code)
      if (two % 3 === 0) continue
      node.ledger.admit(made, nowMs)
    }
    commands.push(made)
    here.push(made.id)
    issued.set(made.id, issuedAtMs)
  }
  return { commands, refused }
}

/** A node asks another for what it has not seen, in pages, and takes all of it. Gives the ids of what was new. */
export function pull(to: TestNode, from: TestNode, project: string, nowMs: number): string[] {
  const taken: string[] = []
  for (let last: string | undefined; ; ) {
    const { commands, more } = from.ledger.missing(project, to.ledger.have(project), 16_384, last)
    for (const { id, envelope } of commands) {
      if (to.ledger.admit({ id, project, envelope, text: canonicalText(envelope) }, nowMs) !== undefined) taken.push(id)
    }
    if (!more) return taken
    last = commands.at(-1)!.id
  }
}

function commandOf(node: TestNode, project: string, what: number, one: number, two: number): Command {
  const place = { boardId: ids.board(one), columnId: ids.column(two), rank: rank(one) }
  const cardId = ids.card(one)
  const claimId = ids.claim(two)
  const agent = two % 2 === 0 ? null : word(one)
  const leaseMs = [10_000, 60_000, 3_600_000][one % 3]!
  const shapes: readonly (() => Command)[] = [
    () => ({ type: 'card.create', cardId: ids.card(two), ...place, title: word(two), priority: one % 5 }),
    () => ({ type: 'card.create', cardId, ...place, title: word(one), bodyHash: hash(two), assignee: word(two) }),
    () => ({
      type: 'column.create',
      columnId: ids.column(one),
      boardId: ids.board(two),
      title: word(one),
      rank: rank(two),
    }),
    () => ({ type: 'board.create', boardId: ids.board(one), title: word(two) }),
    () => ({ type: 'board.update', boardId: ids.board(one), title: word(two) }),
    () => ({ type: 'board.archive', boardId: ids.board(one), archived: two % 2 === 0 }),
    () => ({
      type: 'column.update',
      columnId: ids.column(one),
      wipLimit: two % 3 === 0 ? null : 1 + (two % 3),
      rank: rank(one),
    }),
    () => ({ type: 'column.archive', columnId: ids.column(one), archived: two % 2 === 0 }),
    () => ({
      type: 'column.rerank',
      columnId: ids.column(two),
      places: [0, 1].map((n) => ({ cardId: ids.card(one + n), rank: rank(two + n) })),
    }),
    () => ({ type: 'card.update', cardId, title: word(two) }),
    () => ({ type: 'card.update', cardId, bodyHash: two % 3 === 0 ? null : hash(two), priority: two % 5 }),
    () => ({ type: 'card.move', cardId, boardId: ids.board(two), columnId: ids.column(one + two), rank: rank(two) }),
    () => ({ type: 'card.archive', cardId }),
    () => ({ type: 'card.restore', cardId }),
    () => ({ type: 'label.add', cardId, name: word(two) }),
    () => ({ type: 'label.remove', cardId, name: word(two) }),
    () => ({ type: 'link.add', linkId: ids.link(two), from: cardId, to: ids.card(two), kind: 'blocks' }),
    () => ({ type: 'link.add', linkId: ids.link(two), from: cardId, to: 'https://example.org/a', kind: 'url' }),
    () => ({ type: 'link.remove', linkId: ids.link(two) }),
    () => ({ type: 'comment.add', commentId: ids.comment(two), cardId, bodyHash: hash(one) }),
    () => ({ type: 'comment.edit', commentId: ids.comment(two), bodyHash: hash(one) }),
    () => ({ type: 'comment.redact', commentId: ids.comment(two) }),
    () => ({ type: 'claim.acquire', claimId, cardId, agent, leaseMs }),
    () => ({ type: 'claim.acquire', claimId, cardId, agent, leaseMs }),
    () => ({ type: 'claim.force', claimId, cardId, agent, leaseMs }),
    () => ({ type: 'claim.renew', ...openClaim(node, project, one, claimId, cardId), leaseMs }),
    () => ({ type: 'claim.renew', ...openClaim(node, project, one, claimId, cardId), leaseMs }),
    () => ({ type: 'claim.release', ...openClaim(node, project, one, claimId, cardId) }),
    () => resolution(node, project, one, two),
    () => resolution(node, project, one, two),
    () => resolution(node, project, one, two),
  ]
  return shapes[what % shapes.length]!()
}

/** A claim that stands at the node, or one that may not be there at all. */
function openClaim(
  node: TestNode,
  project: string,
  n: number,
  claimId: string,
  cardId: string,
): { claimId: string; cardId: string } {
  const claims = node.ledger.claims(project, 'all', START_MS)
  const claim = claims[n % (claims.length + 1)]
  return claim === undefined ? { claimId, cardId } : { claimId: claim.claimId, cardId: claim.cardId }
}

/** Settles a conflict that is open at the node, by a candidate or by a value of its own. */
function resolution(node: TestNode, project: string, one: number, two: number): Command {
  const open = node.ledger.conflicts(project).filter(({ kind }) => kind !== 'claim')
  const conflict = open[one % open.length]
  if (conflict === undefined) return { type: 'card.update', cardId: ids.card(one), title: word(two) }
  const { conflictId, register, candidates } = conflict
  const chosen = candidates[two % candidates.length]!
  return {
    type: 'conflict.resolve',
    conflictId,
    register,
    candidates: candidates.map(({ id }) => id),
    choose: two % 3 === 0 ? { value: chosen.value } : { id: chosen.id },
  }
}
