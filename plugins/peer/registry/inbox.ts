/** The pushes that peers have handed in, with this node's signed word on each, which stays the same while nothing changes. */

import { acknowledgedText } from '../../protocol/acknowledgement.ts'
import type { Acknowledgement, Failure, PeerState, Pinned } from '../../sync/api.ts'
import type { AskedPush, IncomingPush, Ledger, LedgerReads, ReceiptStore, SyncShared } from '../../sync/capabilities.ts'
import { fail } from '../errors.ts'
import { dropStaged } from './staged.ts'
import { sweepInbox } from './sweep.ts'

/** A push of a peer, as it stands here. */
export interface Inboxed extends AskedPush {
  readonly no: number
  readonly pushId: string
  readonly hash: string
  /** The endpoint id of who handed it in. */
  readonly peer: string
  /** The heads that it pinned there; null where its project had no commands. */
  readonly heads: readonly string[] | null
  readonly ack: Acknowledgement
}

/** The pushes of peers. */
export interface Inbox {
  /** What became of a push: that of then, or a first word. A refusal is a word too. Throws where it may not be judged yet. */
  open(push: IncomingPush, peer: string, heads: readonly string[] | null): Promise<Inboxed>
  /**
   * Takes a new push whole, in one transaction, in which `bring` brings all that it pinned: rejects with what that throws, and
   * then nothing is written. Undefined, and nothing written either, where it cannot, or there is more to be said of the push.
   */
  takeWhole(
    push: IncomingPush,
    peer: string,
    heads: readonly string[] | null,
    bring: (ledger: Ledger) => boolean,
  ): Promise<Inboxed | undefined>
  /** By id, of a peer; undefined where it handed in no such push that this node took. */
  find(pushId: string, peer: string): Promise<Inboxed | undefined>
  /** Pushes of a project that wait for what they pinned. */
  waiting(project: string): Promise<readonly Inboxed[]>
  /** Applies a push that has all that it pinned, or refuses it where its signer may not push any more. */
  apply(push: IncomingPush, inboxed: Inboxed): Promise<Inboxed>
  /** Refuses a push for good. */
  reject(inboxed: Inboxed, failure: Failure): Promise<Inboxed>
  /** The same as it stands now. */
  again(inboxed: Inboxed): Promise<Inboxed>
  /** Refuses a push whose signer may not push any more; any other stays as it is. */
  review(inboxed: Inboxed): Promise<Inboxed>
  /** The push that was kept, to be applied later. */
  kept(inboxed: Inboxed): Promise<IncomingPush | undefined>
  /** Drops what made no progress for a day, and words that nobody can ask for any more. */
  sweep(): Promise<void>
}

/** What an inbox is made of. */
export interface InboxParts {
  readonly store: ReceiptStore
  /** Called from the start on. */
  readonly shared: () => SyncShared
  readonly now: () => number
}

type Row = [
  no: number,
  pushId: string,
  hash: string,
  peer: string,
  domain: string,
  signer: string,
  frontier: string | null,
  state: PeerState,
  ack: string,
]
const SELECT = 'SELECT no, push_id, hash, peer, domain, signer, frontier, state, ack FROM peer_inbox'
/** Waiting pushes of a project that are looked at together. */
const MAX_WAITING = 64

/** Makes the inbox of a node. */
export function createInbox({ store, shared, now }: InboxParts): Inbox {
  const encoder = new TextEncoder()
  const sign = (
    { audit }: Ledger,
    word: Pick<Acknowledgement, 'pushId' | 'canonicalPayloadHash' | 'state' | 'failure' | 'appliedFrontier'>,
  ): Acknowledgement => {
    const { endpointId, sign } = shared().ownKey()
    const statement = {
      context: 'svc-peer-ack-1' as const,
      endpointId,
      auditHead: audit!.head().hash,
      ...word,
    }
    return { ...statement, signature: shared().toBase64(sign(encoder.encode(acknowledgedText(statement)))) }
  }
  const rowOf = ({ rows }: Pick<LedgerReads, 'rows'>, no: number): Inboxed =>
    toInboxed(rows<Row>(`${SELECT} WHERE no = ?`, no)[0]!)
  const write = (
    ledger: Ledger,
    inboxed: Inboxed,
    word: Pick<Acknowledgement, 'state' | 'failure' | 'appliedFrontier'>,
  ): Inboxed => {
    const ack = sign(ledger, { pushId: inboxed.pushId, canonicalPayloadHash: inboxed.hash, ...word })
    ledger.rows(
      'UPDATE peer_inbox SET state = ?, ack = ?, push = NULL, staged_bytes = 0, touched_at_ms = ? WHERE no = ?',
      ack.state,
      JSON.stringify(ack),
      now(),
      inboxed.no,
    )
    dropStaged(ledger, inboxed.no)
    return { ...inboxed, ack }
  }
  const refuse = (ledger: Ledger, inboxed: Inboxed, failure: Failure): Inboxed => {
    const { project, signerKeyId: actor, pushId: subject } = inboxed
    ledger.audit!.append({ atMs: now(), kind: 'refusal', project, subject, actor, outcome: failure.code })
    shared().incoming.fail(ledger, inboxed.pushId, inboxed.peer, failure)
    return write(ledger, inboxed, { state: 'rejected', failure, appliedFrontier: null })
  }
  const insert = (
    ledger: Ledger,
    push: IncomingPush,
    peer: string,
    heads: readonly string[] | null,
    word: Pick<Acknowledgement, 'state' | 'failure' | 'appliedFrontier'> = RECEIVED,
  ): Inboxed => {
    const { pushId, canonicalPayloadHash: hash, domain } = push.envelope
    const { signerKeyId } = push.request
    const ack = sign(ledger, { pushId, canonicalPayloadHash: hash, ...word })
    const [frontier, text] = [heads === null ? null : JSON.stringify(heads), JSON.stringify(ack)]
    ledger.rows(
      `INSERT INTO peer_inbox (push_id, hash, peer, domain, signer, frontier, push, state, ack, staged_bytes, touched_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
      pushId,
      hash,
      peer,
      domain,
      signerKeyId,
      frontier,
      ack.state === 'received' ? JSON.stringify(push.request) : null,
      ack.state,
      text,
      now(),
    )
    // Not by RETURNING, which makes a table of its own, with a cache of pages, for each row.
    const [row] = ledger.rows<[no: number]>('SELECT last_insert_rowid()')
    return toInboxed([row![0], pushId, hash, peer, domain, signerKeyId, frontier, ack.state, text])
  }

  return {
    open: (push, peer, heads) =>
      store.write((ledger) => {
        const { pushId, canonicalPayloadHash: hash } = push.envelope
        const [known] = ledger.rows<Row>(`${SELECT} WHERE push_id = ? AND hash = ? AND peer = ?`, pushId, hash, peer)
        if (known !== undefined) return renewed(ledger, toInboxed(known))
        const refusal = shared().incoming.refusalOf(ledger, toAsked(push))
        // Enrolment may follow: no word is said.
        if (refusal === 'signer_unknown') throw fail('signer_unknown')
        const receipt = ledger.push(pushId)
        const isOther = receipt !== undefined && receipt.hash !== hash
        const code = isOther ? 'request_id_conflict' : refusal
        if (receipt === undefined && code === undefined) shared().incoming.accept(ledger, push, peer)
        const made = insert(ledger, push, peer, heads)
        if (code === undefined) return made
        const { actor, project, subject } = { actor: push.request.signerKeyId, project: push.project, subject: pushId }
        ledger.audit!.append({ atMs: now(), kind: 'refusal', project, subject, actor, outcome: code })
        return write(ledger, made, { state: 'rejected', failure: toFailure(code), appliedFrontier: null })
      }),
    takeWhole: (push, peer, heads, bring) =>
      store.write((ledger) => {
        const { pushId } = push.envelope
        const [known] = ledger.rows('SELECT 1 FROM peer_inbox WHERE push_id = ?', pushId)
        const refusal = shared().incoming.refusalOf(ledger, toAsked(push))
        if (known !== undefined || ledger.push(pushId) !== undefined || refusal !== undefined) return undefined
        if (!bring(ledger)) return undefined
        return insert(ledger, push, peer, heads, applied(push, shared().incoming.take(ledger, push, peer)))
      }),
    find: (pushId, peer) =>
      store.read(
        ({ rows }) =>
          rows<Row>(
            `${SELECT} WHERE push_id = ? AND peer = ? ORDER BY state = 'received' DESC LIMIT 1`,
            pushId,
            peer,
          ).map(toInboxed)[0],
      ),
    waiting: (project) =>
      store.read(({ rows }) =>
        rows<Row>(
          // By the index of what waits: all words of eight days stand in the table.
          `${SELECT} INDEXED BY peer_inbox_waiting WHERE state = 'received' AND domain IN (?, ?) LIMIT ${MAX_WAITING}`,
          `kbd-control:${project}`,
          `kbd-content:${project}`,
        ).map(toInboxed),
      ),
    apply: (push, { no }) =>
      store.write((ledger) => {
        const inboxed = rowOf(ledger, no)
        if (inboxed.ack.state !== 'received') return inboxed
        const refusal = shared().incoming.refusalOf(ledger, inboxed)
        if (refusal !== undefined) return refuse(ledger, inboxed, toFailure(refusal))
        return write(ledger, inboxed, applied(push, shared().incoming.apply(ledger, push, inboxed.peer)))
      }),
    reject: ({ no }, failure) =>
      store.write((ledger) => {
        const inboxed = rowOf(ledger, no)
        return inboxed.ack.state === 'received' ? refuse(ledger, inboxed, failure) : inboxed
      }),
    again: ({ no }) => store.read((ledger) => rowOf(ledger, no)),
    review: ({ no }) =>
      store.write((ledger) => {
        const inboxed = rowOf(ledger, no)
        const refusal = inboxed.ack.state === 'received' ? shared().incoming.refusalOf(ledger, inboxed) : undefined
        return refusal === undefined ? inboxed : refuse(ledger, inboxed, toFailure(refusal))
      }),
    async kept({ no }) {
      const [row] = await store.read(({ rows }) =>
        rows<[push: string | null]>('SELECT push FROM peer_inbox WHERE no = ?', no),
      )
      return row?.[0] == null ? undefined : shared().incoming.read(JSON.parse(row[0])).place()
    },
    sweep: () => sweepInbox(store, now()),
  }

  /** The word of then; said anew where it was said with a key that this node no longer has. */
  function renewed(ledger: Ledger, inboxed: Inboxed): Inboxed {
    const { endpointId, state, failure, appliedFrontier, pushId, canonicalPayloadHash } = inboxed.ack
    if (endpointId === shared().ownKey().endpointId) return inboxed
    const ack = sign(ledger, { pushId, canonicalPayloadHash, state, failure, appliedFrontier })
    ledger.rows('UPDATE peer_inbox SET ack = ? WHERE no = ?', JSON.stringify(ack), inboxed.no)
    return { ...inboxed, ack }
  }
}

const RECEIVED = { state: 'received', failure: null, appliedFrontier: null } as const

/** The last word on a push that was applied. */
function applied(
  { family }: IncomingPush,
  pinned: Pinned | undefined,
): Pick<Acknowledgement, 'state' | 'failure' | 'appliedFrontier'> {
  const appliedFrontier = family.takesFrontier ? { heads: pinned?.frontier.heads ?? [] } : null
  return { state: 'applied', failure: null, appliedFrontier }
}

function toAsked({ family, project, request }: IncomingPush): AskedPush {
  return { signerKeyId: request.signerKeyId, family: family.name, project }
}

function toInboxed([no, pushId, hash, peer, domain, signerKeyId, frontier, , ack]: Row): Inboxed {
  const colon = domain.indexOf(':')
  return {
    no,
    pushId,
    hash,
    peer,
    family: domain.slice(0, colon),
    project: domain.slice(colon + 1),
    signerKeyId,
    heads: frontier === null ? null : (JSON.parse(frontier) as string[]),
    ack: JSON.parse(ack) as Acknowledgement,
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  signer_unknown: 'The signing device is not enrolled here.',
  signer_revoked: 'The signing device is revoked here, or its enrolment has expired.',
  signer_not_in_scope: 'The signing device is not enrolled here for this domain.',
  request_id_conflict: 'This requestId belongs to another push here.',
}

/** A refusal that is final: a new push is needed once its reason is mended. */
function toFailure(code: string): Failure {
  return { code, message: MESSAGES[code] ?? 'The push was refused.', retryable: false }
}
