/**
 * Checks 12 to 16 of the list in ../engine.ts: whether a device may send a command now. They run before the
 * transaction.
 */
import { fromFuture, stale } from '../../../protocol/clocks.ts'
import { allows } from '../../../protocol/scopes.ts'
import { fail } from '../../errors.ts'
import { type ReadCommand, requireSeen, requireValid } from '../commands/envelope.ts'
import { isActive, type KbdDevice, type KbdOptions } from '../engine-parts.ts'

/** Throws the error of the first check that fails. */
export async function authorise(
  { projectExists, limits, now, codecs }: Pick<KbdOptions, 'projectExists' | 'limits' | 'now' | 'codecs'>,
  device: KbdDevice,
  command: ReadCommand,
): Promise<void> {
  const { envelope, project } = command
  if (!(await projectExists(project))) throw fail('scope_not_found')
  // An unknown type has no verb. A device with all verbs gets to the check of the form, which names the unknown type.
  const { type } = envelope.command as { type?: unknown }
  const verb = typeof type === 'string' ? type : ''
  if (!allows(device.scopes, 'kbd-control', project, verb)) throw fail('signer_not_in_scope')
  const past = envelope.concurrency === 'strict' ? limits.windowPastMs : limits.mergeWindowMs
  const nowMs = now()
  if (envelope.issuedAtMs < nowMs - past) throw fail('request_stale', stale(envelope.issuedAtMs, nowMs, past))
  if (envelope.issuedAtMs > nowMs + limits.windowFutureMs)
    throw fail('request_from_future', fromFuture(envelope.issuedAtMs, nowMs, limits.windowFutureMs))
  requireValid(command, codecs)
  requireSeen(command)
}

/** Throws `signer_revoked` if a device may not sign now. */
export function requireActive(device: KbdDevice, nowMs: number): void {
  if (!isActive(device, nowMs)) throw fail('signer_revoked')
}
