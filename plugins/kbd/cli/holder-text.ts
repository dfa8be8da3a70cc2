/** What people read about the holder of a card. */
import { CommandRefusal } from '../../../core/command.ts'
import { isObject } from '../../../core/is-object.ts'
import { printable } from '../../../core/printable.ts'
import type { Holder } from '../api.ts'
import type { DeviceName } from './device-names.ts'

/** The holder of a card, and the end of its claim, as a sentence. */
export function toHolderText({ agent, deviceId, expiresAtMs }: Omit<Holder, 'claimId'>, nameOf: DeviceName): string {
  const name = agent === null ? nameOf(deviceId) : printable(agent)
  return `${name} holds it until ${new Date(expiresAtMs).toISOString()}.`
}

/** The holder in a refusal because of the claim of another device. Returns undefined for any other error. */
export function heldBy(error: unknown): Omit<Holder, 'claimId'> | undefined {
  if (!(error instanceof CommandRefusal) || error.code !== 'claim_held') return undefined
  const { holder } = error.details
  if (!isObject(holder)) return undefined
  const { agent, deviceId, expiresAtMs } = holder
  if (typeof expiresAtMs !== 'number') return undefined
  return { agent: typeof agent === 'string' ? agent : null, deviceId: String(deviceId), expiresAtMs }
}
