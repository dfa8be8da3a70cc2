/**
 * Checks the invariants at every step. The judge reads the medium of a node after every sync, before other code learns
 * of the sync, and remembers what was stored and acknowledged: neither may change later.
 */

import type { CommandEnvelope } from '../../plugins/kbd/api.ts'
import type { SqlRow } from '../../plugins/store/api.ts'
import type { ReceiptEvent } from '../../plugins/sync/api.ts'
import { OTHER } from './client.ts'
import type { Figure } from './figures.ts'
import type { SimulatedNode } from './node.ts'
import { createVouching } from './vouching.ts'

/** A broken invariant. */
export interface Violation {
  /** The name of the invariant. */
  readonly what: Invariant
  readonly node: string
  readonly detail: string
}

/** The names of the invariants. */
export type Invariant =
  | 'durable'
  | 'once'
  | 'gapless'
  | 'signed'
  | 'vouched'
  | 'private'
  | 'truthful'
  | 'converged'
  | 'writable'
  | 'held'
  | 'sound'

/** The judge of a run. */
export interface Judge {
  readonly violations: readonly Violation[]
  /** Checks new entries on the medium of a node. */
  look(node: SimulatedNode): void
  /** Compares the whole medium with what was stored and acknowledged before. Called after a crash and at the end. */
  compare(node: SimulatedNode): void
  /** Records a command that a device has signed. Boards may contain only such commands. */
  signed(id: string, text: string): void
  /** Checks a text that a node sends to a peer whose entry does not name the other project. */
  told(node: SimulatedNode, peer: string, text: string): void
  /**
   * Records that a node has acknowledged a command, a push or an audit entry, whose row must be on the medium from now
   * on.
   */
  acknowledged(node: SimulatedNode, kind: 'command' | 'push' | 'audit', id: string): void
  blame(what: Invariant, node: string, detail: string): void
}

/** What the judge has read of a node. */
interface Seen {
  commandRow: number
  /** The number of events of all receipts. */
  eventCount: number
  /** Hashes of the audit chain. The entry with number n has index n - 1. */
  readonly chain: string[]
  readonly executed: Set<string>
  /**
   * Events of receipts, by push and by the peer that submitted it. If a push from one peer fails, another peer may
   * submit it again.
   */
  readonly events: Map<string, string[]>
  /** Acknowledged rows: those found on the medium, and those not yet checked. */
  readonly kept: Set<string>
  readonly fresh: Set<string>
}

const IDS = /\b[0-9a-f]{64}\b/g
const EXECUTIONS: ReadonlySet<string> = new Set(['push', 'command', 'claim', 'resolution'])
const KEPT: Readonly<Record<string, string>> = {
  command: 'SELECT 1 FROM kbd_commands WHERE id = ?',
  push: 'SELECT 1 FROM receipts WHERE push_id = ?',
  audit: 'SELECT 1 FROM audit WHERE hash = ?',
}

/**
 * Creates the judge. `tell` is called with each new violation. `honest` returns the honest node with an endpoint id,
 * whose acknowledgements must be true.
 */
export function createJudge(
  count: (what: Figure) => void,
  tell: (violation: Violation) => void,
  honest: (endpointId: string) => SimulatedNode | undefined,
): Judge {
  const violations: Violation[] = []
  const texts = new Map<string, string>()
  const vouching = createVouching()
  /** Ids of the commands of the project that only some peers may read. */
  const secrets = new Set<string>()
  const nodes = new Map<SimulatedNode, Seen>()
  const seenOf = (node: SimulatedNode): Seen => {
    let seen = nodes.get(node)
    if (seen === undefined) {
      seen = {
        commandRow: 0,
        eventCount: 0,
        chain: [],
        executed: new Set(),
        events: new Map(),
        kept: new Set(),
        fresh: new Set(),
      }
      nodes.set(node, seen)
    }
    return seen
  }
  const blamed = new Set<string>()
  const blame: Judge['blame'] = (what, node, detail) => {
    const said = `${what} ${node} ${detail}`
    if (blamed.has(said)) return
    blamed.add(said)
    const violation = { what, node, detail }
    violations.push(violation)
    tell(violation)
  }
  const rows = <Row extends SqlRow>(node: SimulatedNode, sql: string, ...given: readonly (string | number)[]) =>
    node.disk.rows<Row>(sql, ...given)

  const lookAtCommands = (node: SimulatedNode, seen: Seen): void => {
    const fresh = rows<[row: number, id: string, text: string]>(
      node,
      'SELECT rowid, id, envelope FROM kbd_commands WHERE rowid > ? ORDER BY rowid',
      seen.commandRow,
    )
    for (const [row, id, text] of fresh) {
      seen.commandRow = row
      const signed = texts.get(id)
      if (signed === undefined) blame('signed', node.name, `no device signed the command ${id}`)
      else if (signed !== text) blame('signed', node.name, `the command ${id} was changed`)
      else if (honest(node.key.endpointId) !== undefined && !vouching.isVouched(node, id))
        blame('vouched', node.name, `no device that is active here vouches for the command ${id}`)
    }
  }

  const lookAtChain = (node: SimulatedNode, seen: Seen): void => {
    const fresh = rows<[seq: number, kind: string, subject: string | null, outcome: string, hash: string]>(
      node,
      'SELECT seq, kind, subject, outcome, hash FROM audit WHERE seq > ? ORDER BY seq',
      seen.chain.length,
    )
    for (const [seq, kind, subject, outcome, hash] of fresh) {
      if (seq !== seen.chain.push(hash)) blame('gapless', node.name, `entry ${seen.chain.length} of the audit chain`)
      if (kind === 'fork') count('forks')
      if (outcome === 'false_acknowledgement') count('false words')
      if (outcome === 'acknowledgement_contradicted') count('contradicted words')
      if (!EXECUTIONS.has(kind) || (kind === 'push' && outcome !== 'ok') || subject === null) continue
      if (seen.executed.has(subject)) blame('once', node.name, `${kind} ${subject} was executed twice`)
      seen.executed.add(subject)
    }
  }

  const lookAtReceipts = (node: SimulatedNode, seen: Seen): void => {
    const [summed] = rows<[sum: number, count: number]>(
      node,
      'SELECT coalesce(sum(last_sequence), 0), (SELECT count(*) FROM events) FROM receipts',
    )
    if (summed![0] === seen.eventCount && summed![1] === seen.eventCount) return
    seen.eventCount = summed![0]
    const counted = rows<[push: string, origin: string, last: number, count: number, no: number]>(
      node,
      `SELECT push_id, coalesce(origin, ''), last_sequence, (SELECT count(*) FROM events WHERE receipt_no = no), no
       FROM receipts`,
    )
    for (const [push, origin, last, count, no] of counted) {
      const known = seen.events.get(`${push} ${origin}`) ?? []
      if (last !== count) blame('gapless', node.name, `receipt ${push} counts ${last} events and has ${count}`)
      if (count === known.length) continue
      if (count < known.length) blame('gapless', node.name, `events of receipt ${push} are gone`)
      const all = rows<[sequence: number, event: string]>(
        node,
        'SELECT sequence, event FROM events WHERE receipt_no = ? ORDER BY sequence',
        no,
      )
      for (const [i, [sequence, event]] of all.entries()) {
        if (sequence !== i + 1) blame('gapless', node.name, `event ${i + 1} of receipt ${push} is missing`)
        if (known[i] !== undefined && known[i] !== event)
          blame('gapless', node.name, `event ${i + 1} of receipt ${push} was changed`)
      }
      const events = all.map(([, event]) => event)
      for (const event of events.slice(known.length)) judgePeerEvent(node, push, JSON.parse(event) as ReceiptEvent)
      if (events.filter((event) => event.includes('"kind":"applied_locally"')).length > 1)
        blame('once', node.name, `push ${push} was applied twice`)
      seen.events.set(`${push} ${origin}`, events)
    }
  }

  /**
   * Checks that an honest peer that reports a push as applied has applied it and has the commands that the push pins.
   */
  const judgePeerEvent = (node: SimulatedNode, push: string, { kind, peer }: ReceiptEvent): void => {
    if (kind === 'peer_applied') count('applied')
    if (kind === 'peer_rejected') count('rejected')
    // A dishonest node may report a different frontier to each node.
    if (honest(node.key.endpointId) === undefined) return
    const there = kind === 'peer_applied' ? honest(peer!) : undefined
    if (there === undefined) return
    const [frontier] = rows<[heads: string | null]>(node, 'SELECT frontier FROM receipts WHERE push_id = ?', push)[0]!
    const { heads = [] } = (JSON.parse(frontier ?? '{}') ?? {}) as { heads?: readonly string[] }
    const [state] = rows<[state: string]>(there, 'SELECT local_state FROM receipts WHERE push_id = ?', push)[0] ?? []
    if (state !== 'applied_locally' || !heads.every((id) => rows(there, KEPT['command']!, id).length > 0))
      blame('truthful', there.name, `reports that it applied ${push}, but did not`)
  }

  const lookFor = (node: SimulatedNode, names: Iterable<string>): void => {
    for (const name of names) {
      const [kind, id] = name.split(' ') as [string, string]
      if (rows(node, KEPT[kind]!, id).length === 0)
        blame('durable', node.name, `the ${kind} ${id} was acknowledged but is missing`)
    }
  }

  const lookForFresh = (node: SimulatedNode, seen: Seen): void => {
    if (seen.fresh.size === 0 || node.disk.held) return
    lookFor(node, seen.fresh)
    for (const name of seen.fresh) seen.kept.add(name)
    seen.fresh.clear()
  }

  return {
    violations,
    blame,
    look(node) {
      const seen = seenOf(node)
      vouching.look(node)
      lookAtCommands(node, seen)
      lookAtChain(node, seen)
      lookAtReceipts(node, seen)
      lookForFresh(node, seen)
    },
    compare(node) {
      const seen = seenOf(node)
      lookForFresh(node, seen)
      lookFor(node, seen.kept)
      const chain = rows<[hash: string]>(node, 'SELECT hash FROM audit ORDER BY seq').map(([hash]) => hash)
      if (seen.chain.some((hash, i) => chain[i] !== hash)) blame('durable', node.name, 'the audit chain has changed')
      const events = rows<[push: string, origin: string, count: number]>(
        node,
        `SELECT push_id, coalesce(origin, ''), (SELECT count(*) FROM events WHERE receipt_no = no) FROM receipts`,
      )
      const counts = new Map(events.map(([push, origin, count]) => [`${push} ${origin}`, count]))
      const pushes = new Set(events.map(([push]) => push))
      for (const [name, known] of seen.events) {
        const [push, origin] = name.split(' ') as [string, string]
        const isSubmittedAgain = origin !== '' && pushes.has(push) && !counts.has(name)
        if (!isSubmittedAgain && (counts.get(name) ?? 0) < known.length)
          blame('durable', node.name, `the receipt ${push} lost events`)
      }
    },
    told(node, peer, text) {
      if (honest(node.key.endpointId) === undefined) return
      const isSecret = text.includes(`"kbd-control:${OTHER}"`) || (text.match(IDS) ?? []).some((id) => secrets.has(id))
      if (isSecret) blame('private', node.name, `${peer} learns of the project ${OTHER}`)
    },
    signed(id, text) {
      texts.set(id, text)
      if (text.includes(`"kbd-control:${OTHER}"`)) secrets.add(id)
      vouching.signed(id, JSON.parse(text) as CommandEnvelope)
    },
    acknowledged(node, kind, id) {
      const seen = seenOf(node)
      seen.fresh.add(`${kind} ${id}`)
      lookForFresh(node, seen)
    },
  }
}
