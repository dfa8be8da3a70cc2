/** What people read about the holder of a card. */
import { type CommandIo, CommandRefusal } from '../../../core/declare/command.ts'
import { printable, toJsonText } from '../../../core/kernel/printable.ts'
import { isObject } from '../../../core/kernel/values.ts'
import type { Claim, Holder } from '../api.ts'
import type { Values } from './board-call.ts'

/**
 * Runs an action. Says who holds a card that it changed, or because of whom it was refused; with `json`, the refusal
 * goes to stdout too.
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

/** Returns the name of a device. */
export type DeviceName = (keyId: string) => string

/** Returns the beginning of a key id, which stands for a device without a label. */
export const shortName: DeviceName = (keyId) => keyId.slice(0, 16)

/**
 * Reads the labels from the store, as `svc device list` does. A service at another socket has another store, and the
 * store may belong to another user: then key ids are shown.
 */
export async function readDeviceNames(io: CommandIo, socket: string | undefined): Promise<DeviceName> {
  const labels = new Map<string, string>()
  if (socket === undefined) {
    try {
      const devices = await io.use('NodeStore')((store) => store.read((ledger) => ledger.devices()))
      for (const { keyId, label } of devices) if (label !== null && label !== '') labels.set(keyId, printable(label))
    } catch {
      // Labels are a help for the reader; the board can be shown without them.
    }
  }
  return (keyId) => labels.get(keyId) ?? shortName(keyId)
}
