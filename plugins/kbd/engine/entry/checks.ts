/** Checks 17 to 20 of the list in ../engine.ts. They run inside the transaction that adds the command. */
import type { Claim, CommandEnvelope, Conflict, Frontier, Holder } from '../../api.ts'
import { fail, invalid } from '../../errors.ts'
import { isClaim, isMaker } from '../claims/claim-types.ts'
import type { Claims } from '../claims/claims.ts'
import { changedCards, mentionsOf } from '../commands/commands.ts'
import { CREATED, type ReadEntity } from '../fold/registers.ts'
import type { Graph } from '../graph/graph.ts'
import { divergence, type Place } from '../graph/place.ts'
import { contains, type Ranges } from '../graph/ranges.ts'
import type { Parent, ProjectRow } from '../graph/statements.ts'
import { type KbdLimits, MAX_HEADS } from '../limits.ts'
import { requireRow, type Sql } from '../sql.ts'
import { readConflict } from './statements.ts'

/** The parts of the checks. */
export interface EntryParts {
  readonly sql: Sql
  readonly graph: Graph
  readonly claims: Claims
  readonly limits: KbdLimits
}

/** The time of the entry, and the power of the signer. */
export interface EntryMoment {
  /** Unix time in milliseconds. */
  readonly nowMs: number
  /** Whether claims of other devices bind the signer: verbs narrow its scopes. */
  readonly isBound: boolean
}

/** Checks a command, and returns its place in the graph. Throws the error of the first check that fails. */
export function judgeEntry(
  parts: EntryParts,
  row: ProjectRow | undefined,
  envelope: CommandEnvelope,
  read: ReadEntity,
  { nowMs, isBound }: EntryMoment,
): Place {
  const place = parts.graph.place(row, judgeParents(parts, row, envelope), envelope.signerKeyId)
  const { unseen } = place
  judgeDistance(parts, row, place)
  const p = row?.p ?? 0
  judgeTime(parts, p, envelope, unseen)
  judgeEntities(parts, p, envelope, unseen, read)
  judgeConflict(parts, p, envelope, unseen)
  if (isBound) judgeHolders(parts, p, envelope, nowMs)
  judgeClaim(parts, row, envelope, unseen, read, nowMs)
  return place
}

function mismatch(graph: Graph, row: ProjectRow | undefined): Error {
  const currentFrontier: Frontier = row === undefined ? { heads: [] } : graph.frontier(row.p)
  return fail('frontier_mismatch', { details: { currentFrontier, headCount: row?.headCount ?? 0 } })
}

/** Check 17, first half: the project has the parents, and they fit the concurrency. */
function judgeParents(
  { graph }: EntryParts,
  row: ProjectRow | undefined,
  envelope: CommandEnvelope,
): readonly Parent[] {
  const { heads } = envelope.expectedFrontier
  const strict = envelope.concurrency === 'strict'
  if (strict && row !== undefined && row.headCount > MAX_HEADS) throw fail('frontier_too_wide')
  if (row === undefined) {
    if (heads.length > 0) throw strict ? mismatch(graph, row) : fail('frontier_unknown')
    return []
  }
  if (heads.length === 0) throw mismatch(graph, row)
  const parents = heads.map((id) => graph.parent(row.p, id))
  if (strict && (heads.length !== row.headCount || parents.some((parent) => parent?.isHead !== true)))
    throw mismatch(graph, row)
  return requireParents(parents)
}

/** The parents of a command. Throws `frontier_unknown`. */
export function knownParents(graph: Graph, row: ProjectRow, envelope: CommandEnvelope): readonly Parent[] {
  return requireParents(envelope.expectedFrontier.heads.map((id) => graph.parent(row.p, id)))
}

function requireParents(candidates: readonly (Parent | undefined)[]): readonly Parent[] {
  const parents = candidates.filter((parent) => parent !== undefined)
  if (parents.length < candidates.length) throw fail('frontier_unknown')
  return parents
}

/** Check 17, second half: the divergence, the branches of the device, and the number of commands. */
function judgeDistance({ limits }: EntryParts, row: ProjectRow | undefined, place: Place): void {
  if (row === undefined) return
  const { unseen, tips } = place
  if (divergence(place) > limits.maxDivergence) throw fail('frontier_too_old')
  const branches = tips.filter(({ pos }) => contains(unseen, pos)).length + 1
  // A device that has too many branches, which came from peers, may still merge them.
  if (branches > limits.maxDeviceHeads && branches >= tips.length) throw fail('device_behind')
  if (row.revision >= limits.maxCommands) throw fail('project_full')
}

/** Check 17, at its end: a renewal or a release is not earlier than its claim. */
function judgeTime({ claims }: EntryParts, p: number, envelope: CommandEnvelope, unseen: Ranges): void {
  const { command, issuedAtMs } = envelope
  if (!isClaim(command) || isMaker(command)) return
  const madeAtMs = claims.madeAtMs({ p, unseen, envelope }, command)
  if (madeAtMs !== undefined && issuedAtMs < madeAtMs) throw invalid('/issuedAtMs')
}

/** Check 18: the named entities exist in the past of the parents, the created ones do not. */
function judgeEntities(
  { limits, claims }: EntryParts,
  p: number,
  { command }: CommandEnvelope,
  unseen: Ranges,
  read: ReadEntity,
): void {
  const isThere = (entity: string): boolean =>
    (read(entity).byName.get(CREATED) ?? []).some(({ pos }) => !contains(unseen, pos))
  const mentions = mentionsOf(command)
  if (mentions.some(({ entity, created }) => created !== true && !isThere(entity))) throw fail('entity_not_found')
  if (mentions.some(({ entity, created }) => created === true && isThere(entity))) throw fail('entity_exists')
  if (command.type === 'label.add') {
    const names = [...read(`card/${command.cardId}`).byName.keys()].filter((name) => name.startsWith('label/'))
    if (names.length >= limits.maxLabels && !names.includes(`label/${command.name}`))
      throw invalid('/command/name', { message: `A card has at most ${limits.maxLabels} labels in its life.` })
  }
  if (isClaim(command) && 'agent' in command && claims.isUsed(p, command.claimId)) throw fail('entity_exists')
}

/** Check 19: a resolution names an open conflict, and its author has seen all candidates. */
function judgeConflict({ sql, graph }: EntryParts, p: number, { command }: CommandEnvelope, unseen: Ranges): void {
  if (command.type !== 'conflict.resolve') return
  const json = readConflict(sql, p, command.conflictId)
  if (json === undefined) throw fail('conflict_not_found')
  const { candidates } = JSON.parse(json) as Conflict
  if (candidates.some(({ id }) => contains(unseen, requireRow(graph.node(p, id)).pos))) throw fail('conflict_stale')
}

/** Check 20 for a bound device: no other device holds a card that the command changes. */
function judgeHolders(
  { claims }: EntryParts,
  p: number,
  { command, signerKeyId }: CommandEnvelope,
  nowMs: number,
): void {
  for (const cardId of changedCards(command)) {
    const held = heldClaim(claims, p, cardId, nowMs)
    if (held !== undefined && held.deviceId !== signerKeyId)
      throw fail('claim_held', { details: { holder: toHolder(held) } })
  }
}

/** Check 20: the author of a claim has seen every claim of the card, and at most one claim is held at a time. */
function judgeClaim(
  { graph, claims, limits }: EntryParts,
  row: ProjectRow | undefined,
  envelope: CommandEnvelope,
  unseen: Ranges,
  read: ReadEntity,
  nowMs: number,
): void {
  const { command, signerKeyId } = envelope
  if (row === undefined || !isClaim(command)) return
  const { p, revision } = row
  const held = heldClaim(claims, p, command.cardId, nowMs)
  if (command.type === 'claim.acquire') {
    const context = { p, pos: revision + 1, id: '', envelope, unseen, past: graph.past(p) }
    const holder = held === undefined ? claims.blocking(context, command) : toHolder(held)
    if (holder !== undefined) throw fail('claim_held', { details: { holder } })
  } else if (command.type !== 'claim.force') {
    if (held?.claimId !== command.claimId || held.deviceId !== signerKeyId) throw fail('claim_not_held')
  }
  const entries = read(`card/${command.cardId}`).byName.get('claim') ?? []
  if (entries.some(({ pos }) => contains(unseen, pos))) throw mismatch(graph, row)
  if ('agent' in command && claims.countLive(signerKeyId, nowMs, limits.maxClaims) >= limits.maxClaims)
    throw fail('claim_limit')
}

/** The claim of a card that is in force. */
function heldClaim(claims: Claims, p: number, cardId: string, nowMs: number): Claim | undefined {
  return claims.lasting(p, nowMs, cardId).find(({ state }) => state === 'held')
}

/** The holder in the details of a refusal. */
function toHolder({ claimId, deviceId, agent, expiresAtMs }: Claim): Holder {
  return { claimId, deviceId, agent, expiresAtMs }
}
