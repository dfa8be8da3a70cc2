/** Boards over one open database. Every statement runs inside the transaction of the caller. */

import { CLOCK_TOLERANCE_MS } from '../../protocol/clocks.ts'
import type { StoreDriver } from '../../store/api.ts'
import type { AuditChain } from '../../sync/api.ts'
import type { Applied, CommandEnvelope } from '../api.ts'
import { fail } from '../errors.ts'
import { createClaims } from './claims/claims.ts'
import type { Codecs } from './codecs.ts'
import { namedText } from './commands/commands.ts'
import { type Content, createContent } from './content/content.ts'
import { judgeEntry, knownParents } from './entry/checks.ts'
import { createFold } from './fold/fold.ts'
import { refoldStale } from './fold/refold/refold.ts'
import { createRegisters, type ReadEntity } from './fold/registers.ts'
import { createGraph } from './graph/graph.ts'
import type { Place } from './graph/place.ts'
import type { ProjectRow } from './graph/statements.ts'
import type { KbdLimits } from './limits.ts'
import { createReads, type KbdReads } from './reads/reads.ts'
import { createSql } from './sql.ts'
import { markAhead } from './statements.ts'

/** A command that was read and proven. */
export interface ProvenCommand {
  /** SHA-256 of the signed bytes, in hex. */
  readonly id: string
  readonly project: string
  readonly envelope: CommandEnvelope
  /** The envelope as it is stored and shown: canonical, with a padded signature. */
  readonly text: string
}

/** Reads and writes of boards inside one transaction. */
export interface KbdLedger extends KbdReads {
  readonly content: Content
  /**
   * Runs checks 17 to 20 of the list in engine.ts, then adds the command. `isBound`: claims of other devices bind the
   * signer.
   */
  enter(command: ProvenCommand, nowMs: number, isBound?: boolean, user?: string): Applied
  /**
   * Adds a command of a peer or an import. The checks depend only on the command and its ancestors. Returns undefined
   * if the command is known. Throws `frontier_unknown` and `project_mismatch`.
   */
  admit(command: ProvenCommand, nowMs: number): Applied | undefined
}

/** The parts of a ledger. */
export interface LedgerParts {
  readonly driver: StoreDriver
  readonly codecs: Codecs
  readonly limits: KbdLimits
  /** Gets an entry for every command, inside its transaction. */
  readonly audit: Pick<AuditChain, 'append'>
  /** Called for every command, inside its transaction, for data that is derived from boards, such as a search index. */
  readonly onApplied?: ((applied: Applied) => void) | undefined
}

/** Makes the ledger of a database that has the tables of boards. */
export function createKbdLedger({ driver, codecs, limits, audit, onApplied }: LedgerParts): KbdLedger {
  const sql = createSql(driver)
  const graph = createGraph(sql)
  const registers = createRegisters(sql)
  const claims = createClaims(sql, codecs)
  const content = createContent(sql, codecs, limits)
  const parts = { sql, graph, registers, claims, content, codecs, limits }
  const fold = createFold(parts)
  refoldStale(sql, driver, fold)

  const add = (
    command: ProvenCommand,
    row: ProjectRow | undefined,
    place: Place,
    read: ReadEntity,
    nowMs: number,
    user?: string,
  ): Applied => {
    const applied = fold.append(row, command, place, read, nowMs)
    const { type } = command.envelope.command
    const fact = {
      atMs: nowMs,
      project: command.project,
      subject: command.id,
      actor: command.envelope.signerKeyId,
      ...(user !== undefined && { user }),
    }
    const kind = type.startsWith('claim.') ? 'claim' : type === 'conflict.resolve' ? 'resolution' : 'command'
    // A time ahead refuses nothing, because the descendants of the command would be refused with it. It is recorded.
    const isAhead = command.envelope.issuedAtMs > nowMs + CLOCK_TOLERANCE_MS
    if (isAhead) markAhead(sql, command.id)
    const outcome = isAhead ? 'command_from_future' : 'ok'
    audit.append({ ...fact, kind, outcome: applied.effective ? outcome : 'no_effect' })
    if (applied.forked) audit.append({ ...fact, kind: 'fork', outcome: 'device_forked' })
    onApplied?.(applied)
    return applied
  }

  return {
    ...createReads(parts),
    content,
    enter(command, nowMs, isBound = false, user) {
      const row = graph.project(command.project)
      const read = registers.reading(row?.p)
      const place = judgeEntry(parts, row, command.envelope, read, { nowMs, isBound })
      const applied = add(command, row, place, read, nowMs, user)
      const hash = namedText(command.envelope.command)
      if (hash !== undefined) content.vouched(command.project, hash)
      return applied
    },
    admit(command, nowMs) {
      const { envelope } = command
      const row = graph.project(command.project)
      if (row !== undefined && graph.node(row.p, command.id) !== undefined) return undefined
      const isRoot = envelope.expectedFrontier.heads.length === 0
      if (row !== undefined && isRoot) throw fail('project_mismatch')
      if (row === undefined && !isRoot) throw fail('frontier_unknown')
      const parents = row === undefined ? [] : knownParents(graph, row, envelope)
      const place = graph.place(row, parents, envelope.signerKeyId)
      return add(command, row, place, registers.reading(row?.p), nowMs)
    },
  }
}
