/** Signs the acknowledgements of this node and stores each with its push. Everything here runs inside a transaction. */
import { acknowledgedText } from '../../../protocol/acknowledgement.ts'
import type { Acknowledgement, Failure, Pinned } from '../../../sync/api.ts'
import type { IncomingPush, Ledger, SyncShared } from '../../../sync/capabilities.ts'
import { auditOf } from '../../audit-of.ts'
import { deleteStaged } from '../staged/statements.ts'
import { finishPush, type Inboxed, insertPush, replaceAcknowledgement } from './statements.ts'

/** What signing needs. */
export interface AcknowledgingParts {
  /** Available once the service starts. */
  readonly shared: () => SyncShared
  readonly now: () => number
}

/** The writes of acknowledgements. */
export interface Acknowledging {
  /** Adds a push with its first acknowledgement. */
  add(ledger: Ledger, push: IncomingPush, peer: string, heads: readonly string[] | null, outcome: Outcome): Inboxed
  /** Writes the final acknowledgement, and removes the commands that waited for the push. */
  finish(ledger: Ledger, inboxed: Inboxed, outcome: Outcome): Inboxed
  /** Finishes a push as rejected, with an entry in the audit chain. */
  refuse(ledger: Ledger, inboxed: Inboxed, failure: Failure): Inboxed
  /** Refuses a push that has a receipt of this node, and ends that receipt. */
  reject(ledger: Ledger, inboxed: Inboxed, failure: Failure): Inboxed
  /** Signs the acknowledgement again if it was signed with a key that this node no longer has. */
  renew(ledger: Ledger, inboxed: Inboxed): Inboxed
}

type Statement = Outcome & Pick<Acknowledgement, 'pushId' | 'canonicalPayloadHash'>

/** Creates the writes of acknowledgements. */
export function createAcknowledging({ shared, now }: AcknowledgingParts): Acknowledging {
  const encoder = new TextEncoder()
  const sign = (ledger: Ledger, said: Statement): Acknowledgement => {
    const { endpointId, sign: signBytes } = shared().ownKey()
    const statement = {
      context: 'svc-peer-ack-1' as const,
      endpointId,
      auditHead: auditOf(ledger).head().hash,
      ...said,
    }
    return { ...statement, signature: shared().toBase64(signBytes(encoder.encode(acknowledgedText(statement)))) }
  }
  const audit = (ledger: Ledger, { project, pushId: subject, signerKeyId: actor }: Inboxed, outcome: string): void =>
    void auditOf(ledger).append({ atMs: now(), kind: 'refusal', project, subject, actor, outcome })
  const finish: Acknowledging['finish'] = (ledger, inboxed, outcome) => {
    const ack = sign(ledger, { pushId: inboxed.pushId, canonicalPayloadHash: inboxed.hash, ...outcome })
    finishPush(ledger, inboxed.no, ack, now())
    deleteStaged(ledger, inboxed.no)
    return { ...inboxed, ack }
  }

  return {
    finish,
    add(ledger, { envelope, request }, peer, heads, outcome) {
      const { pushId, canonicalPayloadHash, domain } = envelope
      const ack = sign(ledger, { pushId, canonicalPayloadHash, ...outcome })
      const push = { pushId, hash: canonicalPayloadHash, peer, domain, signerKeyId: request.signerKeyId, heads, ack }
      const waits = ack.state === 'received'
      return insertPush(ledger, { ...push, request: waits ? JSON.stringify(request) : null }, now())
    },
    refuse(ledger, inboxed, failure) {
      audit(ledger, inboxed, failure.code)
      return finish(ledger, inboxed, toRejected(failure))
    },
    reject(ledger, inboxed, failure) {
      audit(ledger, inboxed, failure.code)
      shared().incoming.fail(ledger, inboxed.pushId, inboxed.peer, failure)
      return finish(ledger, inboxed, toRejected(failure))
    },
    renew(ledger, inboxed) {
      const { endpointId, state, failure, appliedFrontier, pushId, canonicalPayloadHash } = inboxed.ack
      if (endpointId === shared().ownKey().endpointId) return inboxed
      const ack = sign(ledger, { pushId, canonicalPayloadHash, state, failure, appliedFrontier })
      replaceAcknowledgement(ledger, inboxed.no, ack)
      return { ...inboxed, ack }
    },
  }
}

/** The members of an acknowledgement that change with the progress of a push. */
export type Outcome = Pick<Acknowledgement, 'state' | 'failure' | 'appliedFrontier'>

/** The push is known here and not applied yet. */
export const RECEIVED: Outcome = { state: 'received', failure: null, appliedFrontier: null }

/** The push is applied. */
export function toApplied({ family }: IncomingPush, pinned: Pinned | undefined): Outcome {
  const appliedFrontier = family.takesFrontier ? { heads: pinned?.frontier.heads ?? [] } : null
  return { state: 'applied', failure: null, appliedFrontier }
}

/** The push is rejected. */
function toRejected(failure: Failure): Outcome {
  return { state: 'rejected', failure, appliedFrontier: null }
}

const MESSAGES: Readonly<Record<string, string>> = {
  signer_unknown: 'The signing device is not enrolled here.',
  signer_revoked: 'The signing device is revoked here, or its enrolment has expired.',
  signer_not_in_scope: 'The signing device is not enrolled here for this domain.',
  request_id_conflict: 'This requestId belongs to another push here.',
}

/** The failure of a final refusal. Once its reason is removed, the device has to sign a new push. */
export function toFailure(code: string): Failure {
  return { code, message: MESSAGES[code] ?? 'The push was refused.', retryable: false }
}
