/**
 * The devices that two nodes exchange when they are paired. Only active devices are sent, with their scopes narrowed to
 * the projects of the pairing. A device that is known keeps its scopes and status, so that no peer changes what the
 * owner of this node has enrolled.
 */
import { isObject } from '../../../../core/kernel/values.ts'
import { fromEndpointId, isAdmissibleKey, labelFault } from '../../../protocol/keys.ts'
import { isScope } from '../../../protocol/scopes.ts'
import type { Device } from '../../../sync/api.ts'
import type { Ledger, LedgerReads } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import { malformed } from '../wire/bodies.ts'
import { isTexts } from './pairing-code.ts'

/** The members of a device that a peer gets. */
export type PairedDevice = Pick<Device, 'publicKey' | 'scopes' | 'label' | 'expiresAtMs'>

const FAMILIES = [{ name: 'kbd-control' }, { name: 'kbd-content' }]
const MEMBERS = 4
/** Most devices of one side. */
const MAX_DEVICES = 128
/** Most UTF-16 units of a label. No label of at most 256 bytes has more; labels of older nodes may have more bytes. */
const MAX_LABEL = 256
/** Most bytes of the devices in an answer, whose limit is 1 MiB with all its members. */
export const MAX_ANSWER_BYTES = 1_000_000

/**
 * The active devices whose scopes name one of these projects. A label that is too long for the other node is left out.
 * @throws SvcError `malformed_request` if they are more than the other node takes, or more than `maxBytes` as JSON
 */
export function devicesOf(
  ledger: Pick<LedgerReads, 'devices'>,
  projects: readonly string[],
  nowMs: number,
  maxBytes: number,
): readonly PairedDevice[] {
  const devices = ledger.devices().flatMap(({ publicKey, scopes, label, status, expiresAtMs }) => {
    // The other node knows these families alone.
    const narrowed = narrow(scopes, projects).filter((scope) => isScope(scope, FAMILIES))
    const isActive = status === 'active' && (expiresAtMs === null || expiresAtMs > nowMs)
    return isActive && narrowed.length > 0 ? [{ publicKey, scopes: narrowed, label: sent(label), expiresAtMs }] : []
  })
  const bytes = Buffer.byteLength(JSON.stringify(devices))
  if (devices.length <= MAX_DEVICES && bytes <= maxBytes) return devices
  const most = devices.length > MAX_DEVICES ? `${MAX_DEVICES} devices` : `${maxBytes} bytes, and these take ${bytes}`
  throw fail('malformed_request', {
    message: `A node has ${devices.length} devices for these projects, and a pairing exchanges at most ${most}. Pair without --devices; svc device export and svc device import take any number.`,
  })
}

/**
 * Whether the owner has revoked a device of one of these projects since a time, which ends a pairing that exchanges
 * devices.
 */
export function hasRevoked(
  ledger: Pick<LedgerReads, 'devices'>,
  projects: readonly string[],
  sinceMs: number,
): boolean {
  return ledger
    .devices()
    .some(({ revokedAtMs, scopes }) => (revokedAtMs ?? -1) >= sinceMs && narrow(scopes, projects).length > 0)
}

/** A label from before the limit at enrolment is not sent, because the peer would refuse all devices. */
function sent(label: string | null): string | null {
  return labelFault(label) === undefined ? label : null
}

/** Reads the devices of a peer. Throws `malformed_request` for anything that is no list of at most 128 devices. */
export function readDevices(value: unknown): readonly PairedDevice[] {
  if (!Array.isArray(value)) throw malformed('/devices')
  if (value.length > MAX_DEVICES)
    throw fail('malformed_request', {
      message: `A pairing exchanges at most ${MAX_DEVICES} devices of a node; these are ${value.length}.`,
    })
  return value.map((one: unknown, i) => {
    const device = readDevice(one)
    if (device === undefined) throw malformed(`/devices/${i}`)
    return device
  })
}

/**
 * Enrols the devices that are not known here, with their scopes narrowed to these projects. Returns how many were
 * enrolled.
 */
export function enrolIn(
  ledger: Ledger,
  devices: readonly PairedDevice[],
  projects: readonly string[],
  { nowMs, uuid }: { readonly nowMs: number; readonly uuid: () => string },
): number {
  let enrolled = 0
  for (const { publicKey, scopes, label, expiresAtMs } of devices) {
    const keyId = `ed25519:${publicKey}`
    const narrowed = narrow(scopes, projects)
    if (narrowed.length === 0 || ledger.device(keyId) !== undefined) continue
    const times = { enrolledAtMs: nowMs, expiresAtMs, revokedAtMs: null, revokedReason: null }
    const named = projects.filter((project) => narrowed.some((scope) => projectOf(scope) === project))
    ledger.enrol(
      {
        keyId,
        deviceId: uuid(),
        publicKey,
        endpointId: publicKey,
        scopes: narrowed,
        label,
        status: 'active',
        ...times,
      },
      named,
    )
    const [first = null, ...more] = named
    const project = more.length === 0 ? first : null
    ledger.audit?.append({ atMs: nowMs, kind: 'enrolment', project, subject: keyId, actor: 'owner', outcome: 'ok' })
    enrolled++
  }
  return enrolled
}

function readDevice(value: unknown): PairedDevice | undefined {
  if (!isObject(value) || Object.keys(value).length !== MEMBERS) return undefined
  const { publicKey, scopes, label, expiresAtMs } = value
  const key = typeof publicKey === 'string' ? fromEndpointId(publicKey) : undefined
  if (typeof publicKey !== 'string' || key === undefined || !isAdmissibleKey(key)) return undefined
  if (!isTexts(scopes) || !scopes.every((scope) => isScope(scope, FAMILIES))) return undefined
  if (!(label === null || (typeof label === 'string' && label.length <= MAX_LABEL))) return undefined
  if (!(expiresAtMs === null || (typeof expiresAtMs === 'number' && Number.isSafeInteger(expiresAtMs))))
    return undefined
  return { publicKey, scopes, label, expiresAtMs }
}

/** Scopes for some projects alone: `kbd-control:*#card` becomes `kbd-control:demo#card` for the project demo. */
function narrow(scopes: readonly string[], projects: readonly string[]): readonly string[] {
  const parts = scopes.flatMap((scope) => {
    const project = projectOf(scope)
    if (project !== '*') return projects.includes(project) ? [scope] : []
    return projects.map((one) => scope.replace(':*', `:${one}`))
  })
  return [...new Set(parts)]
}

function projectOf(scope: string): string {
  return /^[^:#]+:([^#]*)/.exec(scope)?.[1] ?? ''
}
