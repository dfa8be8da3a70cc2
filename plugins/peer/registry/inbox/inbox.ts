/**
 * The pushes that peers have sent. Each has one signed acknowledgement of this node, reused until its state changes.
 */
import type { Failure } from '../../../sync/api.ts'
import type { AskedPush, IncomingPush, Ledger, ReceiptStore } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import { deleteStaged } from '../staged/statements.ts'
import { type AcknowledgingParts, createAcknowledging, RECEIVED, toApplied, toFailure } from './acknowledging.ts'
import {
  DUE_SLICE,
  deletePush,
  duePushes,
  findPush,
  findSamePush,
  hasPushId,
  type Inboxed,
  readPush,
  readRequest,
  waitingPushes,
} from './statements.ts'

export type { Inboxed } from './statements.ts'

/** The pushes of peers. */
export interface Inbox {
  /**
   * Returns a known push with its acknowledgement, or adds a new push as received or rejected. Rejects with
   * `signer_unknown`, and adds nothing, if the signing device is not enrolled: it may be enrolled later.
   */
  open(push: IncomingPush, peer: string, heads: readonly string[] | null): Promise<Inboxed>
  /**
   * Adds and applies a new push in one transaction, in which `admit` adds the commands that the push pinned. Returns
   * undefined, with nothing written, if `admit` returns false, or if the push is known or refused. Rejects with what
   * `admit` throws, with nothing written.
   */
  takeWhole(
    push: IncomingPush,
    peer: string,
    heads: readonly string[] | null,
    admit: (ledger: Ledger) => boolean,
  ): Promise<Inboxed | undefined>
  /** The push of a peer by its id; undefined if the inbox has none. */
  find(pushId: string, peer: string): Promise<Inboxed | undefined>
  /** Pushes of a project that wait for commands or texts. */
  waiting(project: string): Promise<readonly Inboxed[]>
  /** Applies a push for which everything is here, or rejects it if its signer may no longer push. */
  apply(push: IncomingPush, inboxed: Inboxed): Promise<Inboxed>
  /** Rejects a push for good. */
  reject(inboxed: Inboxed, failure: Failure): Promise<Inboxed>
  /** Reads a push again. */
  again(inboxed: Inboxed): Promise<Inboxed>
  /** Rejects a waiting push if its signer may no longer push. Any other push stays as it is. */
  review(inboxed: Inboxed): Promise<Inboxed>
  /** The request of a waiting push; undefined if the push is finished. */
  kept(inboxed: Inboxed): Promise<IncomingPush | undefined>
  /** Drops pushes that made no progress for a day, and finished pushes that no peer sends again. */
  sweep(): Promise<void>
}

/** What the inbox needs. */
export interface InboxParts extends AcknowledgingParts {
  readonly store: ReceiptStore
}

/** Creates the inbox of a node. */
export function createInbox({ store, shared, now }: InboxParts): Inbox {
  const acknowledging = createAcknowledging({ shared, now })

  return {
    open: (push, peer, heads) =>
      store.write((ledger) => {
        const { pushId, canonicalPayloadHash: hash } = push.envelope
        const inboxed = findSamePush(ledger, pushId, hash, peer)
        if (inboxed !== undefined) return acknowledging.renew(ledger, inboxed)
        const refusal = shared().incoming.refusalOf(ledger, toAsked(push))
        // The device may be enrolled later, so the push gets no final acknowledgement.
        if (refusal === 'signer_unknown') throw fail('signer_unknown')
        const receipt = ledger.push(pushId)
        const isOther = receipt !== undefined && receipt.hash !== hash
        const code = isOther ? 'request_id_conflict' : refusal
        if (receipt === undefined && code === undefined) shared().incoming.accept(ledger, push, peer)
        const added = acknowledging.add(ledger, push, peer, heads, RECEIVED)
        return code === undefined ? added : acknowledging.refuse(ledger, added, toFailure(code))
      }),
    takeWhole: (push, peer, heads, admit) =>
      store.write((ledger) => {
        const { pushId } = push.envelope
        const isKnown = hasPushId(ledger, pushId)
        const refusal = shared().incoming.refusalOf(ledger, toAsked(push))
        if (isKnown || ledger.push(pushId) !== undefined || refusal !== undefined || !admit(ledger)) return undefined
        const pinned = shared().incoming.take(ledger, push, peer)
        return acknowledging.add(ledger, push, peer, heads, toApplied(push, pinned))
      }),
    find: (pushId, peer) => store.read((ledger) => findPush(ledger, pushId, peer)),
    waiting: (project) => store.read((ledger) => waitingPushes(ledger, project)),
    apply: (push, { no }) =>
      store.write((ledger) => {
        const inboxed = readPush(ledger, no)
        if (inboxed.ack.state !== 'received') return inboxed
        const refusal = shared().incoming.refusalOf(ledger, inboxed)
        if (refusal !== undefined) return acknowledging.reject(ledger, inboxed, toFailure(refusal))
        const pinned = shared().incoming.apply(ledger, push, inboxed.peer)
        return acknowledging.finish(ledger, inboxed, toApplied(push, pinned))
      }),
    reject: ({ no }, failure) =>
      store.write((ledger) => {
        const inboxed = readPush(ledger, no)
        return inboxed.ack.state === 'received' ? acknowledging.reject(ledger, inboxed, failure) : inboxed
      }),
    again: ({ no }) => store.read((ledger) => readPush(ledger, no)),
    review: ({ no }) =>
      store.write((ledger) => {
        const inboxed = readPush(ledger, no)
        const refusal = inboxed.ack.state === 'received' ? shared().incoming.refusalOf(ledger, inboxed) : undefined
        return refusal === undefined ? inboxed : acknowledging.reject(ledger, inboxed, toFailure(refusal))
      }),
    async kept({ no }) {
      const request = await store.read((ledger) => readRequest(ledger, no))
      return request === undefined ? undefined : shared().incoming.read(JSON.parse(request)).place()
    },
    sweep: () => sweepInbox(store, now()),
  }
}

function toAsked({ family, project, request }: IncomingPush): AskedPush {
  return { signerKeyId: request.signerKeyId, family: family.name, project }
}

const DAY_MS = 86_400_000
/** A push is refused seven days after it was signed, so its acknowledgement is not needed after eight days. */
const KEEP_DAYS = 8

/** Drops everything that is due at `nowMs`, one slice in each transaction. */
async function sweepInbox(store: Pick<ReceiptStore, 'write'>, nowMs: number): Promise<void> {
  for (let dropped = DUE_SLICE; dropped === DUE_SLICE; )
    dropped = await store.write((ledger) => {
      const due = duePushes(ledger, nowMs - KEEP_DAYS * DAY_MS, nowMs - DAY_MS)
      for (const [no, pushId, state, peer] of due) {
        deleteStaged(ledger, no)
        deletePush(ledger, no)
        const push = ledger.push(pushId)
        if (state === 'received' && push?.localState === 'accepted' && push.origin === peer) ledger.dropPush(push.no)
      }
      return due.length
    })
}
