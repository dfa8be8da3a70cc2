/** What people read about the holder of a card. */
import { type CommandIo, CommandRefusal } from '../../../core/command.ts'
import { isObject } from '../../../core/is-object.ts'
import { printable, toJsonText } from '../../../core/printable.ts'
import type { Claim, Holder } from '../api.ts'
import type { Values } from './board-call.ts'
import { type DeviceName, readDeviceNames } from './device-names.ts'

/**
 * Runs an action. Says who holds a card that it changed, or because of whom it was refused; with `json`, the refusal goes
 * to stdout too.
 */
export async function withHolders(
  io: CommandIo,
  { socket, json }: Pick<Values, 'socket' | 'json'>,
  work: (onHeld: (claim: Claim) => void) => Promise<void>,
): Promise<void> {
  const held = new Map<string, Claim>()
  try {
    await work((claim) => void held.set(claim.claimId, claim))
  } catch (error) {
    const holder = heldBy(error)
    if (!(error instanceof CommandRefusal) || holder === undefined) throw error
    if (json === true) io.out(toJsonText({ error: error.details }, 2))
    const text = toHolderText(holder, await readDeviceNames(io, socket))
    throw new CommandRefusal(error.code, `${error.message} ${text}`, error.details)
  }
  if (held.size === 0) return
  const nameOf = await readDeviceNames(io, socket)
  for (const claim of held.values()) io.err(`Done, although the card is claimed. ${toHolderText(claim, nameOf)}`)
}

/** The holder of a card, and the end of its claim, as a sentence. */
function toHolderText({ agent, deviceId, expiresAtMs }: Omit<Holder, 'claimId'>, nameOf: DeviceName): string {
  const name = agent === null ? nameOf(deviceId) : printable(agent)
  return `${name} holds it until ${new Date(expiresAtMs).toISOString()}.`
}

/** The holder in a refusal because of the claim of another device. Returns undefined for any other error. */
function heldBy(error: unknown): Omit<Holder, 'claimId'> | undefined {
  if (!(error instanceof CommandRefusal) || error.code !== 'claim_held') return undefined
  const { holder } = error.details
  if (!isObject(holder)) return undefined
  const { agent, deviceId, expiresAtMs } = holder
  if (typeof expiresAtMs !== 'number') return undefined
  return { agent: typeof agent === 'string' ? agent : null, deviceId: String(deviceId), expiresAtMs }
}
