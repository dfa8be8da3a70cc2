/** What an embedded engine gives to a feature that works over it, and what it takes from that feature. */

import { sha256 } from '@noble/hashes/sha2.js'
import { canonicalText } from '../../protocol/canonical.ts'
import { fromBase64, toBase64, toHex } from '../../protocol/codecs.ts'
import { fromKeyId, isAdmissibleKey } from '../../protocol/keys.ts'
import { verifySignature } from '../../protocol/verify-signature.ts'
import type { Authority, DomainFamily, Ed25519Verifier, Pin, Sha256 } from '../api.ts'
import type { EmbeddedParts, PushAudit, ReceiptStore } from '../capabilities.ts'
import { requireFrontier } from '../engine/admission/admitted.ts'
import { admitJson } from '../engine/admission/json-admission.ts'
import type { Submit } from '../engine/admission/submit-push.ts'
import { toRefused } from '../engine/audit/refused.ts'
import { frontierOf } from '../engine/devices/project-families.ts'
import type { EngineLimits } from '../engine/options.ts'
import { fail } from '../errors.ts'
import type { HostCalls } from './host-calls.ts'

/** The parts of an engine that a feature may use. */
export function createEmbeddedParts(engine: {
  readonly store: ReceiptStore
  readonly cryptography: PortableCrypto
  readonly limits: EngineLimits
  readonly authority: Authority
  readonly calls: HostCalls
  readonly asCaller: EmbeddedParts['asCaller']
}): EmbeddedParts {
  const { store, cryptography, limits, authority, calls, asCaller } = engine
  return {
    store,
    shared: {
      limits,
      sha256: cryptography.sha256,
      verify: cryptography.ed25519.verify,
      admitJson: (bytes) => admitJson(bytes, limits.maxJsonDepth),
      canonicalText,
      toBase64,
      fromBase64,
      fromKeyId,
      isAdmissibleKey,
    },
    device: authority.device,
    exists: calls.exists,
    now: calls.now,
    yieldLoop: calls.yieldLoop,
    asCaller,
    unprepared: (message, hint) => fail('envelope_preparation_failed', { message, hint }),
    log: calls.log,
  }
}

/** The same submission of pushes; refused pushes whose signer was proven are given to `refused`. */
export function toAudited(submit: Submit, refused: PushAudit): Submit {
  return async (body, onStage) => {
    try {
      return await submit(body, onStage)
    } catch (error) {
      const push = toRefused(body, error)
      if (push !== undefined) await refused(push)
      throw error
    }
  }
}

/** The family of a host, except that pushes of a project with commands pin where `pin` says that the project is. */
export function withPins(family: DomainFamily, store: ReceiptStore, pin: Pin): DomainFamily {
  const { application } = family
  if (application.kind !== 'hosted') return family
  const projectOf = (domain: string): string => domain.slice(family.name.length + 1)
  return {
    ...family,
    application: {
      ...application,
      async frontier(domain: string) {
        const state = await store.read((ledger) => pin(ledger, projectOf(domain)))
        return state === undefined ? application.frontier(domain) : frontierOf(state)
      },
      // The frontier may have changed since it was asked for.
      pin(ledger, project, expected) {
        const state = pin(ledger, project)
        if (state !== undefined && expected !== null) requireFrontier(expected, frontierOf(state))
        return state
      },
    },
  }
}

/** The cryptography of an embedded engine. */
export interface PortableCrypto {
  readonly sha256: Sha256
  readonly ed25519: Ed25519Verifier
}

/**
 * Creates both. Hashing in JavaScript is fast enough, because verifying the signature takes most of the time of a push.
 */
export function createPortableCrypto(): PortableCrypto {
  return { sha256: (bytes) => toHex(sha256(bytes)), ed25519: { verify: verifySignature } }
}
