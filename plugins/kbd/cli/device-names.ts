/** The names of devices for people: the label of the enrolment, or the beginning of the key id. */
import type { CommandIo } from '../../../core/command.ts'
import { printable } from '../../../core/printable.ts'

/** Returns the name of a device. */
export type DeviceName = (keyId: string) => string

/** Returns the beginning of a key id, which stands for a device without a label. */
export const shortName: DeviceName = (keyId) => keyId.slice(0, 16)

/**
 * Reads the labels from the store, as `svc device list` does. A service at another socket has another store, and the store
 * may belong to another user: then key ids are shown.
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
