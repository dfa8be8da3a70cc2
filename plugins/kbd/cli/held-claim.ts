/** The refusal of a claim on a card that another device holds. */
import { CommandRefusal } from '../../../core/command.ts'
import { isObject } from '../../../core/is-object.ts'
import { printable } from '../../../core/printable.ts'
import type { DeviceName } from './device-names.ts'

/** Adds the holder and the end of the claim to the message of a refusal. Returns undefined for any other error. */
export function toHeldClaim(error: unknown, nameOf: DeviceName): CommandRefusal | undefined {
  if (!(error instanceof CommandRefusal) || error.code !== 'claim_held') return undefined
  const { holder } = error.details
  if (!isObject(holder)) return undefined
  const { agent, deviceId, expiresAtMs } = holder
  const name = typeof agent === 'string' ? printable(agent) : nameOf(String(deviceId))
  const until = typeof expiresAtMs === 'number' ? ` until ${new Date(expiresAtMs).toISOString()}` : ''
  return new CommandRefusal(error.code, `${error.message} ${name} holds it${until}.`, error.details)
}
