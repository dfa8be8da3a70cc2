/**
 * Random stories: honest and forking devices, with clocks that are right or off by up to a year, on nodes that
 * synchronise now and then.
 */
import fc from 'fast-check'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { Claim, Command, CommandEnvelope, Conflict } from '../../../plugins/kbd/api.ts'
import { findHeads } from '../../../plugins/kbd/engine/admission/vouching.ts'
import type { ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { deviceId, proven, START_MS, type TestNode, uuidOf } from './boards.ts'

/** Numbers that determine a step: the kind of step, the node, the device, and two numbers for choices. */
export type Step = readonly [what: number, node: number, device: number, first: number, second: number]

/** Any step. */
export const step: fc.Arbitrary<Step> = fc.tuple(
  fc.nat({ max: 8 * 31 - 1 }),
  fc.nat({ max: 2 }),
  fc.nat({ max: 4 }),
  fc.nat({ max: 4_095 }),
  fc.nat({ max: 4_095 }),
)

/** Devices of a story; the claim order among them is that of their keys. */
const DEVICES = 5
/** Maps a number to one of a few ids, so that commands affect the same items. */
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

/** The result of a story; its commands are in the order of their creation. */
export interface Told {
  readonly commands: readonly ProvenCommand[]
  /** Error codes of commands that a node refused at its entry. */
  readonly refused: readonly string[]
  /** The number of sets that a node refused, because no enrolled device vouches for a head of the set. */
  readonly unvouched: number
}

const YEAR_MS = 365 * 86_400_000
/** The errors of clocks, in milliseconds. */
const LIES = [0, 0, 0, 20_000, -20_000, 90_000, -90_000, 3_600_000, -3_600_000, YEAR_MS, -YEAR_MS] as const

/**
 * The error of the clock of a device at a step: right for a while, then wrong for a while; now and then it jumps for
 * one command.
 */
function lieOf(device: number, step: number, jump: number): number {
  const way = jump % 8 === 0 ? jump >> 3 : device * 3 + (step >> 4)
  return LIES[way % LIES.length]!
}

/** The result of a pull. */
export interface Pulled {
  /** Ids of the new commands. */
  readonly taken: readonly string[]
  /** Whether the whole set was refused. */
  readonly refused: boolean
}

/**
 * The devices that the n-th node enrolled. Each node lacks a different device; the first device is enrolled everywhere.
 */
function enrolledAt(n: number, run: number): readonly number[] {
  return Array.from({ length: DEVICES }, (_, device) => run * DEVICES + device).filter(
    (device, i) => i === 0 || device % (DEVICES - 1) !== n,
  )
}

/** The project of a story, the run that determines its devices, and the maximum number of commands. */
export interface Plot {
  readonly project: string
  readonly run: number
  readonly commands?: number
}

/** Runs a story on nodes. Each command is entered at one node; other nodes get it when they pull. */
export function tell(nodes: readonly TestNode[], plot: Plot, steps: readonly Step[]): Told {
  const { project, run } = plot
  const commands: ProvenCommand[] = []
  const told = new Map<string, ProvenCommand>()
  const refused: string[] = []
  let unvouched = 0
  const enrolled = new Map(nodes.map((node, n) => [node, enrolledAt(n, run)]))
  const place = { boardId: ids.board(0), columnId: ids.column(0), rank: 'm' }
  const start: readonly Command[] = [
    { type: 'board.create', boardId: ids.board(0), title: 'Board' },
    { type: 'column.create', ...place, title: 'To do' },
    { type: 'card.create', ...place, cardId: ids.card(0), title: 'First' },
  ]
  for (const command of start) {
    const made = proven(command, { project, device: run * DEVICES, parents: commands.slice(-1).map(({ id }) => id) })
    for (const { ledger } of nodes) ledger.admit(made, START_MS)
    commands.push(made)
    told.set(made.id, made)
  }
  /** Ids by node, in the order of their arrival at the node. */
  const seen = new Map(nodes.map((node) => [node, commands.map(({ id }) => id)]))

  for (const [at, [what, where, who, one, two]] of steps.entries()) {
    if (commands.length === plot.commands) break
    const node = nodes[where % nodes.length]!
    const devices = enrolled.get(node)!
    const nowMs = START_MS + 1_000 * (at + 1)
    if (what % 8 === 0) {
      const to = nodes[one % nodes.length]!
      const { taken, refused } = pull(to, node, { project, nowMs, told, enrolled: enrolled.get(to)! })
      seen.get(to)!.push(...taken)
      if (refused) unvouched++
      continue
    }
    const heads = node.ledger.standing(project).frontier.heads
    const here = seen.get(node)!
    // A forking device names some commands that it has seen, and leaves out its later commands.
    const forks = what % 8 === 1
    const parents = forks ? [...new Set([here[one % here.length]!, here[two % here.length]!])] : heads
    const { ledger } = node
    const look = {
      claims: () => ledger.claims(project, 'all', START_MS),
      conflicts: () => ledger.conflicts(project),
    }
    const command = commandOf(look, what >> 3, one, two)
    const issuedAtMs = Math.max(0, nowMs + lieOf(who, at, one + two))
    const made = proven(command, { project, device: devices[who % devices.length]!, parents, issuedAtMs })
    try {
      ledger.enter(made, nowMs)
    } catch (error) {
      // Another node may have accepted a command that this node refuses, so it is admitted as a peer's command.
      if (!isSvcError(error)) throw error
      refused.push(error.code)
      if (two % 8 === 0) continue
      ledger.admit(made, nowMs)
    }
    commands.push(made)
    told.set(made.id, made)
    here.push(made.id)
  }
  return { commands, refused, unvouched }
}

/** The options of a pull. */
export interface Asking {
  readonly project: string
  readonly nowMs: number
  /** Commands by id; each is proven once for all nodes. */
  readonly told: ReadonlyMap<string, ProvenCommand>
  /** Devices that the pulling node enrolled. If undefined, the node trusts every device. */
  readonly enrolled?: readonly number[]
}

/**
 * Pulls the missing commands from another node, in pages. The node takes all of them, or none if it has not enrolled
 * the signer of each head.
 */
export function pull(to: TestNode, from: TestNode, { project, nowMs, told, enrolled }: Asking): Pulled {
  const set: ProvenCommand[] = []
  const have = to.ledger.have(project)
  for (let last: string | undefined; ; ) {
    const { commands, more } = from.ledger.missing(project, have, 65_536, last)
    for (const { id } of commands) if (to.ledger.command(project, id) === undefined) set.push(told.get(id)!)
    if (!more) break
    last = commands.at(-1)!.id
  }
  const trusted = enrolled && new Set(enrolled.map(deviceId))
  const trusts = ({ signerKeyId }: CommandEnvelope): boolean => trusted === undefined || trusted.has(signerKeyId)
  if (findHeads(set, new Set()).some(({ command }) => !trusts(command.envelope))) return { taken: [], refused: true }
  for (const command of set) to.ledger.admit(command, nowMs)
  return { taken: set.map(({ id }) => id), refused: false }
}

/** The claims and conflicts that the author of a command sees. */
export interface Look {
  claims(): readonly Pick<Claim, 'claimId' | 'cardId'>[]
  conflicts(): readonly Conflict[]
}

/** A command of any kind. The numbers choose the kind, the items and the values. */
export function commandOf(look: Look, what: number, one: number, two: number): Command {
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
    () => ({ type: 'claim.renew', ...openClaim(look, one, claimId, cardId), leaseMs }),
    () => ({ type: 'claim.renew', ...openClaim(look, one, claimId, cardId), leaseMs }),
    () => ({ type: 'claim.release', ...openClaim(look, one, claimId, cardId) }),
    () => resolution(look, one, two),
    () => resolution(look, one, two),
    () => resolution(look, one, two),
  ]
  return shapes[what % shapes.length]!()
}

/** An open claim, or a claim that may not exist. */
function openClaim(look: Look, n: number, claimId: string, cardId: string): { claimId: string; cardId: string } {
  const claims = look.claims()
  const claim = claims[n % (claims.length + 1)]
  return claim === undefined ? { claimId, cardId } : { claimId: claim.claimId, cardId: claim.cardId }
}

/** Resolves an open conflict, by a candidate or by a value. */
function resolution(look: Look, one: number, two: number): Command {
  const open = look.conflicts().filter(({ kind }) => kind !== 'claim')
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
