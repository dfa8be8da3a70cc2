/** The devices, the invitations and the store of this node, for the page. */
import { statfsSync } from 'node:fs'
import type { CommandIo } from '../../../core/declare/command.ts'
import { isSvcError, SvcError } from '../../../core/declare/errors.ts'
import { fromKeyId } from '../../protocol/keys.ts'
import type { NodeInvitations } from '../../sync/capabilities.ts'
import { consoleFail } from '../errors.ts'
import type {
  CancelRequest,
  Device,
  DeviceList,
  EnrolRequest,
  InviteRequest,
  RevokeRequest,
  ShownInvitation,
  StoreReport,
} from '../session.ts'
import type { Members } from './body.ts'

/** The operations of the console on the store of this node. Each call rejects with an error that has a status. */
export interface NodeStore {
  devices(): Promise<DeviceList>
  enrol(members: Members<EnrolRequest>): Promise<Device>
  revoke(members: Members<RevokeRequest>): Promise<Device>
  /** Undefined in a profile without invitations. */
  readonly invite: ((members: Members<InviteRequest>) => Promise<ShownInvitation>) | undefined
  cancel(members: Members<CancelRequest>): Promise<Record<never, never>>
  report(): Promise<StoreReport>
}

/** A code of the console is valid for ten minutes, as one of `svc device invite`. */
const CODE_SECONDS = 600

/**
 * Creates the access to the store. The store is opened by each call. Returns undefined in a profile without a store.
 */
export function createNodeStore(io: CommandIo): NodeStore | undefined {
  const devices = io.find('NodeDevices')
  const info = io.find('NodeStoreInfo')
  if (devices === undefined || info === undefined) return undefined
  const invitations = io.find('NodeInvitations')
  return {
    invite: invitations && ((members) => withStatus(() => invite(invitations, members))),
    cancel: ({ id }) =>
      withStatus(async () => {
        if (typeof id !== 'string') throw invalid('id must be a text.')
        if (!(await invitations?.cancel(id))) throw consoleFail('invitation_unknown')
        return {}
      }),
    devices: () => withStatus(async () => ({ devices: await devices.list() })),
    enrol: ({ keyId, scopes, label = null, expiresAtMs = null }) =>
      withStatus(async () => {
        const publicKey = typeof keyId === 'string' ? fromKeyId(keyId) : undefined
        if (publicKey === undefined) throw invalid('keyId must be ed25519: and 64 lower-case hex digits.')
        if (!isTexts(scopes)) throw invalid('scopes must be an array of texts, such as kbd-control:demo.')
        if (!isTextOrNull(label)) throw invalid('label must be a text or null.')
        if (expiresAtMs !== null && !(Number.isSafeInteger(expiresAtMs) && (expiresAtMs as number) > 0))
          throw invalid('expiresAtMs must be a Unix time in milliseconds, or null.')
        return devices.enrol({ publicKey, scopes, label, expiresAtMs: expiresAtMs as number | null })
      }),
    revoke: ({ keyId, reason = null }) =>
      withStatus(async () => {
        if (typeof keyId !== 'string') throw invalid('keyId must be a text.')
        if (!isTextOrNull(reason)) throw invalid('reason must be a text or null.')
        return devices.revoke(keyId, reason)
      }),
    report: () =>
      withStatus(async () => {
        const storeInfo = info()
        const { bavail, blocks, bsize } = statfsSync(storeInfo.path)
        return { ...storeInfo, disk: { freeBytes: bavail * bsize, totalBytes: blocks * bsize } }
      }),
  }
}

async function invite(
  invitations: NodeInvitations,
  { scopes, label = null, deviceSeconds = null }: Members<InviteRequest>,
): Promise<ShownInvitation> {
  if (!isTexts(scopes)) throw invalid('scopes must be an array of texts, such as kbd-control:demo.')
  if (!isTextOrNull(label)) throw invalid('label must be a text or null.')
  if (deviceSeconds !== null && !(Number.isSafeInteger(deviceSeconds) && (deviceSeconds as number) > 0))
    throw invalid('deviceSeconds must be a number of seconds, or null.')
  const wish = { scopes, label, deviceSeconds: deviceSeconds as number | null, codeSeconds: CODE_SECONDS }
  const made = await invitations.invite(wish)
  return { ...made, qr: invitations.qrOf(made.code) }
}

/**
 * The statuses of errors by code; 400 for any other code. The errors come from commands, and have no status for HTTP.
 */
const STATUS: Readonly<Record<string, number>> = {
  device_exists: 409,
  device_unknown: 404,
  invitation_limit: 409,
  store_missing: 404,
}

async function withStatus<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { message } = error as Error
    if (isSvcError(error, 'member_invalid') || isSvcError(error, 'invitation_unknown')) throw error
    if (isSvcError(error))
      throw new SvcError(error.code, { status: STATUS[error.code] ?? 400, message, hint: error.hint })
    // The folder belongs to another user, or cannot be read.
    throw consoleFail('no_own_store', { message, cause: error })
  }
}

function invalid(message: string): SvcError {
  return consoleFail('member_invalid', { message })
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}
