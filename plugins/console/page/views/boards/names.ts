/** Names of devices: the label that the owner gave, or the beginning of the key. */
import { type Signal, signal } from '@preact/signals'
import type { DeviceList } from '../../../session.ts'
import { shortId } from '../../lib/format.ts'
import { loadedSession, own, ServiceError } from '../../lib/service.ts'

const labels: Signal<ReadonlyMap<string, string>> = signal(new Map())

/** Reads the devices of the node, where the console may. */
export async function readNames(signal: AbortSignal): Promise<void> {
  try {
    const { devices } = await own<DeviceList>('/devices', { signal })
    labels.value = new Map(devices.flatMap(({ keyId, label }) => (label === null ? [] : [[keyId, label] as const])))
  } catch (error) {
    // Names are an ornament: without them the keys stand for the devices.
    if (!(error instanceof ServiceError)) throw error
  }
}

/** The name of a device. */
export function nameOf(keyId: string): string {
  const { device } = loadedSession()
  return labels.value.get(keyId) ?? (device?.keyId === keyId ? device.label : null) ?? shortId(keyId)
}
