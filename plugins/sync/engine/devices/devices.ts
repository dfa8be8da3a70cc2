/** Enrolment and revocation of devices, over the store. */
import { defineErrors, type ErrorCatalogue } from '../../../../core/declare/errors.ts'
import { closed, type JsonSchema } from '../../../../core/declare/json-schema.ts'
import { toHex } from '../../../protocol/codecs.ts'
import { fromEndpointId, isAdmissibleKey, labelFault, toKeyId } from '../../../protocol/keys.ts'
import { isScope, projectOfScope } from '../../../protocol/scopes.ts'
import type { Authority, Device, DomainFamily } from '../../api.ts'
import { findMisfit } from '../admission/json-schema.ts'
import type { Ledger, ReceiptStore } from '../store/api.ts'

/** A code of the device commands; it never reaches a client. */
export type DeviceCode =
  | 'device_key_inadmissible'
  | 'device_scope_invalid'
  | 'device_label_invalid'
  | 'device_exists'
  | 'device_unknown'
  | 'device_export_invalid'

/**
 * Makes the errors of the device commands.
 * @public the test of all catalogues reads it
 */
export const failDevice: ErrorCatalogue<DeviceCode> = defineErrors({
  device_key_inadmissible: {
    message: 'This public key cannot be enrolled.',
    hint: 'It must be a canonical Ed25519 point of the prime-order group; `svc device keygen` makes one.',
  },
  device_scope_invalid: {
    message: 'A scope is not valid.',
    hint: 'A scope is `family:project` or `family:*`, such as kbd-control:demo, or either with verbs: kbd-control:demo#claim,card,push.',
  },
  device_label_invalid: { message: 'The label is too long.' },
  device_exists: {
    message: 'This key is enrolled with these scopes already.',
    hint: 'Nothing was changed. Another scope, label or time of expiry is added to the device.',
  },
  device_unknown: { message: 'No device has this key id.' },
  device_export_invalid: {
    message: 'This is no export of devices.',
    hint: 'svc device export prints one; nothing of it was taken.',
  },
})

/** What a device is enrolled with. */
export interface Enrolment {
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  readonly scopes: readonly string[]
  readonly label: string | null
  readonly expiresAtMs: number | null
}

/**
 * Devices for the import on another node. It is not signed, because only the owner of that node's store can import it.
 */
export interface DeviceExport {
  readonly context: 'svc-device-export-1'
  readonly devices: readonly Device[]
}

/** The registry of devices. */
export interface Devices {
  /**
   * Adds a device, and the projects that its scopes name. For a device that is active, scopes are added, and the label
   * and the time of expiry are replaced if they are given. Rejects with a `DeviceCode`.
   */
  enrol(enrolment: Enrolment): Promise<Device>
  list(): Promise<readonly Device[]>
  /** Exports the named devices, or all, for `take` on another node. Rejects with `device_unknown`. */
  export(keyIds: readonly string[]): Promise<DeviceExport>
  /**
   * Imports the devices of another node, all or none. Devices that are known here do not change, except that a
   * revocation is imported. Rejects with `device_export_invalid`, `device_key_inadmissible`, `device_scope_invalid`,
   * `device_label_invalid`.
   */
  take(value: unknown): Promise<{ readonly enrolled: number; readonly revoked: number }>
  /** Revokes a device for ever. Revoking it again is no error. Rejects with `device_unknown`. */
  revoke(keyId: string, reason: string | null): Promise<Device>
}

/** Creates the registry of a store. */
export function createDevices(
  store: ReceiptStore,
  families: readonly Pick<DomainFamily, 'name'>[],
  { now, uuid }: { readonly now: () => number; readonly uuid: () => string },
): Devices {
  return {
    async enrol({ publicKey, scopes, label, expiresAtMs }) {
      if (!isAdmissibleKey(publicKey)) throw failDevice('device_key_inadmissible')
      requireRights({ scopes, label }, families)
      const device = newDevice({ publicKey, deviceId: uuid(), scopes, label, expiresAtMs, enrolledAtMs: now() })
      const projects = scopes.map(projectOfScope).filter((project) => project !== undefined)
      return store.write((ledger) => {
        const oldDevice = ledger.device(device.keyId)
        const enrolled = oldDevice === undefined ? device : extended(oldDevice, device)
        ledger.enrol(enrolled, projects)
        audit(ledger, 'enrolment', device.keyId, projects, device.enrolledAtMs)
        return enrolled
      })
    },
    list: () => store.read((ledger) => ledger.devices()),
    export: (keyIds) =>
      store.read((ledger) => {
        const devices = ledger.devices().filter(({ keyId }) => keyIds.length === 0 || keyIds.includes(keyId))
        if (devices.length < new Set(keyIds).size) throw failDevice('device_unknown')
        return { context: 'svc-device-export-1', devices }
      }),
    async take(value) {
      const records = readExport(value)
      for (const { publicKey, scopes, label } of records) {
        requireLabel(label)
        const key = fromEndpointId(publicKey)
        if (key === undefined || !isAdmissibleKey(key)) throw failDevice('device_key_inadmissible')
        const wrong = scopes.find((scope) => !isScope(scope, families))
        if (wrong !== undefined) throw failDevice('device_scope_invalid', { message: `Not a scope: ${wrong}` })
      }
      return store.write((ledger) => {
        const done = { enrolled: 0, revoked: 0 }
        for (const record of records) {
          const { keyId, scopes } = record
          const device = ledger.device(keyId)
          const projects = [...new Set(scopes.map(projectOfScope).filter((project) => project !== undefined))]
          const ends = record.status === 'revoked' && device?.status !== 'revoked'
          if (device === undefined) {
            ledger.enrol({ ...record, deviceId: uuid() }, projects)
            audit(ledger, 'enrolment', keyId, projects, now())
            done.enrolled++
          } else if (ends) ledger.revoke(keyId, record.revokedAtMs ?? now(), record.revokedReason)
          if (!ends) continue
          audit(ledger, 'revocation', keyId, projects, now())
          done.revoked++
        }
        return done
      })
    },
    revoke: (keyId, reason) =>
      store.write((ledger) => {
        const { status, scopes } = requireDevice(ledger, keyId)
        const atMs = now()
        ledger.revoke(keyId, atMs, reason)
        const projects = scopes.map(projectOfScope).filter((project) => project !== undefined)
        if (status === 'active') audit(ledger, 'revocation', keyId, projects, atMs)
        return requireDevice(ledger, keyId)
      }),
  }
}

/** Throws `device_scope_invalid` or `device_label_invalid` if no device can be enrolled with these. */
export function requireRights(
  { scopes, label }: Pick<Enrolment, 'scopes' | 'label'>,
  families: readonly Pick<DomainFamily, 'name'>[],
): void {
  const wrong = scopes.find((scope) => !isScope(scope, families))
  if (scopes.length === 0 || wrong !== undefined)
    throw failDevice('device_scope_invalid', wrong === undefined ? {} : { message: `Not a scope: ${wrong}` })
  requireLabel(label)
}

/** What a new device is made of. */
interface NewDevice extends Enrolment, Pick<Device, 'deviceId' | 'enrolledAtMs'> {}

function newDevice({ publicKey, scopes, ...rest }: NewDevice): Device {
  return {
    ...rest,
    keyId: toKeyId(publicKey),
    publicKey: toHex(publicKey),
    endpointId: toHex(publicKey),
    scopes: [...new Set(scopes)],
    status: 'active',
    revokedAtMs: null,
    revokedReason: null,
  }
}

/**
 * The device of an invitation, and its enrolment in a transaction. Its key and its rights were checked before. `user`
 * has used the code.
 */
export function createInvited({ user, ...made }: NewDevice & { readonly user: string }): {
  readonly device: Device
  enrolIn(ledger: Ledger): void
} {
  const device = newDevice(made)
  return {
    device,
    enrolIn(ledger) {
      const projects = device.scopes.map(projectOfScope).filter((project) => project !== undefined)
      ledger.enrol(device, projects)
      audit(ledger, 'enrolment', device.keyId, projects, device.enrolledAtMs, user)
    },
  }
}

function requireLabel(label: string | null): void {
  const message = labelFault(label)
  if (message !== undefined) throw failDevice('device_label_invalid', { message })
}

function requireDevice(ledger: Pick<Ledger, 'device'>, keyId: string): Device {
  const device = ledger.device(keyId)
  if (device === undefined) throw failDevice('device_unknown')
  return device
}

/** An active device with more scopes. Throws `device_exists` if the device is revoked, or if nothing would change. */
function extended(device: Device, { scopes, label, expiresAtMs }: Device): Device {
  const added = scopes.filter((scope) => !device.scopes.includes(scope))
  if (device.status === 'revoked')
    throw failDevice('device_exists', {
      message: 'This key is revoked.',
      hint: 'Revocation is final: a device that comes back needs a new key.',
    })
  if (added.length === 0 && label === null && expiresAtMs === null) throw failDevice('device_exists')
  return {
    ...device,
    scopes: [...device.scopes, ...added],
    label: label ?? device.label,
    expiresAtMs: expiresAtMs ?? device.expiresAtMs,
  }
}

/** The records of an export. Throws `device_export_invalid` for anything else. */
function readExport(value: unknown): readonly Device[] {
  const misfit = findMisfit(value, exportSchema)
  if (misfit !== undefined)
    throw failDevice('device_export_invalid', { message: `This is no export of devices: ${misfit || '/'}.` })
  const { devices } = value as DeviceExport
  const wrong = devices.find(({ keyId, publicKey }) => keyId !== `ed25519:${publicKey}`)
  if (wrong !== undefined || new Set(devices.map(({ keyId }) => keyId)).size < devices.length)
    throw failDevice('device_export_invalid')
  return devices
}

const TIME: JsonSchema = { type: ['integer', 'null'], minimum: 0 }
const TEXT: JsonSchema = { type: ['string', 'null'] }
const exportSchema: JsonSchema = closed('DeviceExport', {
  context: { const: 'svc-device-export-1' },
  devices: {
    type: 'array',
    items: closed('Device', {
      keyId: { type: 'string' },
      deviceId: { type: 'string' },
      publicKey: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      endpointId: { type: 'string' },
      scopes: { type: 'array', items: { type: 'string' } },
      label: TEXT,
      status: { enum: ['active', 'revoked'] },
      enrolledAtMs: { type: 'integer', minimum: 0 },
      expiresAtMs: TIME,
      revokedAtMs: TIME,
      revokedReason: TEXT,
    }),
  },
})

/** Adds an entry about a device to the audit chain. The entry names a project if it is about one alone. */
function audit(
  { audit: chain }: Pick<Ledger, 'audit'>,
  kind: 'enrolment' | 'revocation',
  subject: string,
  projects: readonly string[],
  atMs: number,
  user?: string,
): void {
  const [first, ...more] = new Set(projects)
  const project = first === undefined || more.length > 0 ? null : first
  chain?.append({ atMs, kind, project, subject, actor: 'owner', outcome: 'ok', ...(user !== undefined && { user }) })
}

/** Creates the authority of the server, which reads the device from the store for each request. */
export function createStoredAuthority(store: ReceiptStore): Authority {
  return {
    device: (keyId) => store.read((ledger) => ledger.device(keyId)),
    deviceIn: (ledger, keyId) => ledger.device(keyId),
  }
}
