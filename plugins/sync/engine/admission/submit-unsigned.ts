/**
 * Unsigned pushes of the first version, from callers that may use the Unix socket. They cannot push control domains.
 */

import type { JsonSchema } from '../../../../core/declare/json-schema.ts'
import { createTurns } from '../../../../core/http/turns.ts'
import { sizeFault } from '../../../../core/kernel/values.ts'
import { toCanonical } from '../../../protocol/canonical.ts'
import { PUSH_SCHEMA_VERSION } from '../../../protocol/pushes.ts'
import { fail } from '../../errors.ts'
import type { EngineOptions } from '../options.ts'
import type { Execute, Submission } from './admitted.ts'
import { createEndpointAdmission } from './endpoint-admission.ts'
import { admitJson } from './json-admission.ts'
import { findMisfit } from './json-schema.ts'
import { malformed } from './push-request.ts'
import { requireCarrier } from './submit-push.ts'

interface UnsignedPush {
  readonly domain: string
  readonly payload: unknown
  readonly requestId?: string
  readonly targetEndpointIds?: readonly string[]
}

/**
 * Creates the entry point for unsigned pushes. Calls with the same requestId and body are one push; without a
 * requestId, each call is a new push.
 */
export function createSubmitUnsigned(
  options: EngineOptions,
  execute: Execute,
  schema: JsonSchema,
): (bytes: Uint8Array) => Promise<Submission> {
  const { domains, sha256, limits, uuid } = options
  const endpoints = createEndpointAdmission({ maxTargets: limits.maxTargets, yieldLoop: options.yieldLoop })
  const turn = createTurns(options.yieldLoop)
  return async (bytes) => {
    if (bytes.length > limits.maxBodyBytes)
      throw fail('payload_too_large', { message: sizeFault('A push', limits.maxBodyBytes, bytes.length) })
    await turn(bytes.length)
    const value = admitJson(bytes, limits.maxJsonDepth)
    const misfit = findMisfit(value, schema)
    if (misfit !== undefined) throw malformed(misfit)
    const request = value as UnsignedPush
    const form = toCanonical(value, sha256)
    if (domains.takesFrontier(request.domain))
      throw fail('domain_prohibited', { message: 'This domain takes signed pushes only.', hint: '/api/v2/sync/pushes' })
    const { family, project } = await domains.find(request.domain)
    const targets = request.targetEndpointIds ?? []
    await endpoints.admit(targets)
    requireCarrier(options, targets)
    return execute({
      envelope: {
        schemaVersion: PUSH_SCHEMA_VERSION,
        pushId: request.requestId?.toLowerCase() ?? uuid(),
        domain: request.domain,
        canonicalPayloadHash: form.hash,
        signedText: form.text,
        signerKeyId: null,
        signature: null,
      },
      family,
      project,
      targets,
      expectedFrontier: null,
    })
  }
}
