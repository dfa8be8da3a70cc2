/** What boards are made of in an embedded build that has them: the engine's own store, codecs and host, and the pins of pushes. */

import { canonicalText } from '../../protocol/canonical.ts'
import { fromBase64, toBase64 } from '../../protocol/codecs.ts'
import { isAdmissibleKey } from '../../protocol/key-admission.ts'
import { fromKeyId } from '../../protocol/key-ids.ts'
import type { Authority, DomainFamily, Pin, ProjectReads } from '../api.ts'
import type { EmbeddedParts, PushAudit, ReceiptStore } from '../capabilities.ts'
import { requireFrontier } from '../engine/admission/admitted.ts'
import { admitJson } from '../engine/admission/json-admission.ts'
import type { Submit } from '../engine/admission/submit.ts'
import { toRefused } from '../engine/audit/refused.ts'
import { frontierOf } from '../engine/devices/kbd-families.ts'
import type { EngineLimits } from '../engine/options.ts'
import { fail } from '../errors.ts'
import type { HostCalls } from './host-calls.ts'
import type { PortableCrypto } from './portable-crypto.ts'

/** The parts, and families whose pushes pin boards. */
export interface BoardParts {
  readonly parts: EmbeddedParts
  /** The family of a host, but for projects that have commands: those stand where the board stands, and pushes pin that. */
  readonly withPins: (family: DomainFamily) => DomainFamily
  /** The same door, whose refusals the audit chain hears of. */
  readonly audited: (submit: Submit) => Submit
}

/** Makes the parts from those of the engine. */
export function createBoardParts(made: {
  readonly store: ReceiptStore
  readonly cryptography: PortableCrypto
  readonly limits: EngineLimits
  readonly authority: Authority
  readonly calls: HostCalls
  readonly asCaller: EmbeddedParts['asCaller']
}): BoardParts {
  const { store, cryptography, limits, authority, calls, asCaller } = made
  let pin: Pin = requireNone
  let tellRefused: PushAudit = async () => {}
  return {
    parts: {
      store,
      door: {
        limits,
        sha256: cryptography.sha256,
        verify: cryptography.ed25519.verify,
        admitJson: (bytes) => admitJson(bytes, limits.maxJsonDepth),
        canonicalText,
        toBase64,
        fromBase64,
        fromKeyId,
        isAdmissibleKey,
        projectNames: (ledger) =>
          ledger.rows<[project: string]>('SELECT project FROM kbd_projects ORDER BY project').map(([name]) => name),
      },
      attach(boards) {
        pin = boards.pin
        tellRefused = boards.refused
      },
      device: authority.device,
      exists: calls.exists,
      now: calls.now,
      yieldLoop: calls.yieldLoop,
      asCaller,
      failed: (error) =>
        calls.log({ level: 'warn', target: 'svc::kbd', message: 'Work on boards was not done.', fields: { error } }),
    },
    audited: (submit) => async (body, onStage) => {
      try {
        return await submit(body, onStage)
      } catch (error) {
        const refused = toRefused(body, error)
        if (refused !== undefined) await tellRefused(refused)
        throw error
      }
    },
    withPins(family) {
      const { application } = family
      if (application.kind !== 'hosted') return family
      const projectOf = (domain: string): string => domain.slice(family.name.length + 1)
      return {
        ...family,
        application: {
          ...application,
          async frontier(domain: string) {
            const found = await store.read((ledger) => pin(ledger, projectOf(domain)))
            return found === undefined ? application.frontier(domain) : frontierOf(found)
          },
          // What was asked before may have changed since.
          pin(ledger, project, expected) {
            const found = pin(ledger, project)
            if (found !== undefined && expected !== null) requireFrontier(expected, frontierOf(found))
            return found
          },
        },
      }
    },
  }
}

/** Before there are boards nothing can be pinned: a push of a project that has commands would say that it has none. */
function requireNone({ driver }: ProjectReads, project: string): undefined {
  if (driver.prepare('SELECT 1 FROM kbd_projects WHERE project = ?').get(project) === undefined) return
  throw fail('envelope_preparation_failed', {
    message: 'The project has commands.',
    hint: 'call createBoards(engine) before its first push',
  })
}
