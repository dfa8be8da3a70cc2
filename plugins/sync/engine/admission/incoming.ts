/** Pushes of peers: read and verified as at the local entry point, and recorded in receipts step by step. */

import { toCanonical, withoutSignature } from '../../../protocol/canonical.ts'
import { allows } from '../../../protocol/scopes.ts'
import type { DomainFamily, Ed25519Verifier, Envelope, Failure, Pin, Pinned, PushRequest } from '../../api.ts'
import { fail } from '../../errors.ts'
import type { EngineOptions } from '../options.ts'
import { tidyFailure } from '../receipts/receipt-size.ts'
import { takeSteps } from '../receipts/receipts.ts'
import type { Ledger, LedgerReads, ReceiptStore } from '../store/api.ts'
import { type AdmittedPush, insertPush } from './admitted.ts'
import { readPushRequest } from './push-request.ts'

/** A push of the right form. */
export interface ReadPush {
  readonly request: PushRequest
  readonly envelope: Envelope
  /** The part of its domain after the family: the name of a project, which need not exist. */
  readonly named: string
  /** Whether the signature is the signer's. Never rejects. `more` says that commands are verified at the same time. */
  verify(more: boolean): Promise<boolean>
  /** Throws `domain_prohibited`, `domain_not_found`, `scope_not_found`. */
  place(): Promise<IncomingPush>
}

/** A push of the right form whose domain exists. */
export interface IncomingPush extends Pick<ReadPush, 'request' | 'envelope'> {
  readonly family: DomainFamily
  readonly project: string
}

/** Admits pushes of peers. */
export interface Incoming {
  /** Throws `unsupported_schema_version`, `malformed_request`. */
  read(value: unknown): ReadPush
  /** Whether the signer was ever enrolled here. */
  isKnown(keyId: string): Promise<boolean>
  /** The reason why the signer may not push here; undefined if it may. */
  refusalOf(ledger: Pick<LedgerReads, 'device'>, push: AskedPush): string | undefined
  /** Stores a push in state `accepted`. */
  accept(ledger: Ledger, push: IncomingPush, origin: string): void
  /** Stores and applies a push. Returns what it pins of its project. */
  take(ledger: Ledger, push: IncomingPush, origin: string): Pinned | undefined
  /**
   * Applies an accepted push. Returns what it pins of its project. If a push of another peer with the same id has
   * failed, it is replaced by this one.
   */
  apply(ledger: Ledger, push: IncomingPush, origin: string): Pinned | undefined
  /** Fails a push that was accepted from this peer. A push of another peer stays as it is. */
  fail(ledger: Ledger, pushId: string, origin: string, failure: Failure): void
}

/** The signer of a push, and its domain. */
export interface AskedPush {
  readonly signerKeyId: string
  readonly family: string
  readonly project: string
}

/** The parts of the admission. */
export interface IncomingParts extends Pick<EngineOptions, 'domains' | 'limits' | 'now' | 'sha256'> {
  readonly store: Pick<ReceiptStore, 'read'>
  readonly verify: Ed25519Verifier['verify']
  readonly toBase64: (bytes: Uint8Array) => string
  /** What pushes pin of their project. */
  readonly pin: Pin
}

/** Creates the admission of pushes of peers. */
export function createIncoming(parts: IncomingParts): Incoming {
  const { limits, store, now, pin } = parts
  const accept: Incoming['accept'] = (ledger, push, origin) =>
    void insertPush(ledger, toAdmitted(push), push.envelope, now(), 'accepted', { origin })
  return {
    read(value) {
      const { request, pushId, publicKey, signature } = readPushRequest(value, limits.maxFrontierHeads)
      const form = toCanonical(withoutSignature(request), parts.sha256)
      const { schemaVersion, domain, signerKeyId } = request
      const envelope: Envelope = {
        schemaVersion,
        pushId,
        domain,
        canonicalPayloadHash: form.hash,
        signedText: form.text,
        signerKeyId,
        signature: parts.toBase64(signature),
      }
      return {
        request,
        envelope,
        named: domain.slice(domain.indexOf(':') + 1),
        verify: async (more) => parts.verify(signature, form.bytes, publicKey, more),
        place: async () => ({ request, envelope, ...(await parts.domains.find(domain)) }),
      }
    },
    isKnown: (keyId) => store.read((ledger) => ledger.device(keyId) !== undefined),
    refusalOf(ledger, { signerKeyId, family, project }) {
      const device = ledger.device(signerKeyId)
      if (device === undefined) return 'signer_unknown'
      if (device.status !== 'active' || (device.expiresAtMs !== null && now() >= device.expiresAtMs))
        return 'signer_revoked'
      return allows(device.scopes, family, project, 'push') ? undefined : 'signer_not_in_scope'
    },
    accept,
    take(ledger, push, origin) {
      const pinned = applyStored(ledger, push)
      insertPush(ledger, toAdmitted(push), push.envelope, now(), 'applied_locally', { origin, ...pick(pinned) })
      return pinned
    },
    apply(ledger, incoming, origin) {
      const { envelope, project } = incoming
      const oldPush = ledger.push(envelope.pushId)
      const isLost = oldPush?.localState === 'failed' && oldPush.origin !== null && oldPush.origin !== origin
      if (isLost) ledger.dropPush(oldPush.no)
      if (isLost || oldPush === undefined) accept(ledger, incoming, origin)
      const push = ledger.push(envelope.pushId)
      if (push?.localState !== 'accepted') return pin(ledger, project)
      const pinned = applyStored(ledger, incoming)
      const atMs = now()
      takeSteps(ledger, push, [
        { event: { kind: 'prepared', atMs, localState: 'prepared' } },
        {
          event: { kind: 'applied_locally', atMs, localState: 'applied_locally' },
          change: { localState: 'applied_locally', envelope: null, ...pick(pinned) },
        },
      ])
      return pinned
    },
    fail(ledger, pushId, origin, failure) {
      const push = ledger.push(pushId)
      if (push?.localState !== 'accepted' || push.origin !== origin) return
      takeSteps(ledger, push, [
        {
          event: { kind: 'failed', atMs: now(), localState: 'failed', failure: tidyFailure(failure) },
          change: { localState: 'failed', envelope: null },
        },
      ])
    },
  }
}

function applyStored(ledger: Ledger, { envelope, family, project }: IncomingPush): Pinned | undefined {
  if (family.application.kind !== 'stored') throw fail('envelope_preparation_failed')
  return family.application.apply(ledger, project, envelope)
}

function toAdmitted({ envelope, family, project, request }: IncomingPush): AdmittedPush {
  return { envelope, family, project, targets: request.targetEndpointIds, expectedFrontier: null }
}

function pick(pinned: Pinned | undefined): Partial<Pinned> {
  return pinned === undefined ? {} : { frontier: pinned.frontier, revision: pinned.revision }
}
