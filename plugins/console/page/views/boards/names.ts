/** Names of devices: the label of the device, or the beginning of its key. */
import { type Signal, signal } from '@preact/signals'
import type { DeviceList } from '../../../session.ts'
import { shortId } from '../../lib/format.ts'
import { consoleApi, loadedSession, ServiceError } from '../../lib/service.ts'

const labels: Signal<ReadonlyMap<string, string>> = signal(new Map())

/** Reads the labels of the devices, if the console may read them. */
export async function readNames(signal: AbortSignal): Promise<void> {
  try {
    const { devices } = await consoleApi<DeviceList>('/devices', { signal })
    labels.value = new Map(devices.flatMap(({ keyId, label }) => (label === null ? [] : [[keyId, label] as const])))
  } catch (error) {
    // Labels are optional: without them the page shows the beginnings of the keys.
    if (!(error instanceof ServiceError)) throw error
  }
}

/** The name of a device. */
export function nameOf(keyId: string): string {
  const { device } = loadedSession()
  return labels.value.get(keyId) ?? (device?.keyId === keyId ? device.label : null) ?? shortId(keyId)
}
