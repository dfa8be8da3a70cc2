/** The devices of this node, for commands of its owner. */
import { randomUUID } from 'node:crypto'
import type { CommandIo } from '../../../../core/command.ts'
import { createDevices, type Devices } from '../../engine/devices/devices.ts'
import { createProjectFamilies } from '../../engine/devices/project-families.ts'
import { withStore } from './open-store.ts'

/** Creates the registry of the store in the configured folder. The store is open only during each call. */
export function createNodeDevices(io: CommandIo): Devices {
  const run = <T>(work: (devices: Devices) => Promise<T>): Promise<T> =>
    withStore(io, (store) =>
      work(createDevices(store, createProjectFamilies(store), { now: Date.now, uuid: randomUUID })),
    )
  return {
    enrol: (enrolment) => run((devices) => devices.enrol(enrolment)),
    list: () => run((devices) => devices.list()),
    export: (keyIds) => run((devices) => devices.export(keyIds)),
    take: (value) => run((devices) => devices.take(value)),
    revoke: (keyId, reason) => run((devices) => devices.revoke(keyId, reason)),
  }
}
