/**
 * Invitations: each lets the holder of one code enrol one device, once. They outlast restarts. The rows of the
 * invitation and of the device are written in one transaction, so that after a crash there is either no device, or one
 * that a repeat of the request is answered with.
 */
import type { Device, Sha256 } from '../../api.ts'
import type { Ledger, ReceiptStore } from '../../capabilities.ts'
import { createInvited } from '../../engine/devices/devices.ts'
import type { InvitationCode } from './code.ts'
import {
  deleteInvitation,
  type Invitation,
  type Rows,
  readInvitation,
  readInvitations,
  writeInvitation,
} from './statements.ts'

/** How long a repeat is answered, and an ended invitation listed: a day. */
const KEPT_MS = 86_400_000
/** Wrong secrets that make an invitation void. */
const MAX_WRONG = 3
/** A step of the clock that is no setting back: time services correct a clock by less. */
const CLOCK_STEP_MS = 1_000
/** Invitations that are open at once. */
const MAX_OPEN = 64

/** What an invitation allows. It was validated before. */
export type InvitationDraft = Pick<Invitation, 'scopes' | 'label' | 'deviceSeconds'> & {
  /** How long the code is valid. */
  readonly codeSeconds: number
}

/** Someone who uses a code. The signature of the key was verified before. */
export interface InvitationUse {
  readonly code: InvitationCode
  readonly publicKey: Uint8Array
  /** Named in the audit chain. */
  readonly user: string
}

/** The result of a use: a new device, or the one that the same key has enrolled with the same code. */
export interface Invited {
  readonly isNew: boolean
  readonly device: Device
}

/** The invitations of a node. */
export interface Invitations {
  /** Keeps an invitation for a code. Undefined if too many are open. */
  create(code: InvitationCode, draft: InvitationDraft): Promise<Invitation | undefined>
  /** Open ones, and those that ended within a day. */
  list(): Promise<readonly Invitation[]>
  /** Makes an open invitation void. Returns false if there is no open one with the id. */
  cancel(id: string): Promise<boolean>
  /** Uses a code; undefined if it is not valid for this key, whatever the reason. */
  use(use: InvitationUse): Promise<Invited | undefined>
  /** Ends what is due, and notes the time. Writes nothing if no invitation is kept. */
  settle(): Promise<void>
}

/** The parts of the invitations. */
export interface InvitationsParts {
  readonly store: Pick<ReceiptStore, 'read' | 'write'>
  readonly sha256: Sha256
  readonly now: () => number
  readonly uuid: () => string
}

/** Creates the invitations over a store. */
export function createInvitations({ store, sha256, now, uuid }: InvitationsParts): Invitations {
  const hashOf = ({ secret }: InvitationCode): string => sha256(new TextEncoder().encode(secret))
  return {
    create: (code, { codeSeconds, ...draft }) =>
      store.write((ledger) => {
        const nowMs = now()
        settleIn(ledger, nowMs)
        if (readInvitations(ledger).filter(({ state }) => state === 'open').length >= MAX_OPEN) return undefined
        const times = { createdAtMs: nowMs, seenAtMs: nowMs, expiresAtMs: nowMs + codeSeconds * 1_000 }
        const fresh = { wrongSecrets: 0, state: 'open', endedAtMs: null, keyId: null } as const
        const invitation: Invitation = { id: code.id, secretHash: hashOf(code), ...draft, ...times, ...fresh }
        writeInvitation(ledger, invitation)
        return invitation
      }),
    list: () =>
      store.write((ledger) => {
        settleIn(ledger, now())
        return readInvitations(ledger)
      }),
    cancel: (id) =>
      store.write((ledger) => {
        const nowMs = now()
        settleIn(ledger, nowMs)
        const invitation = readInvitation(ledger, id)
        if (invitation?.state !== 'open') return false
        writeInvitation(ledger, voided(invitation, nowMs))
        return true
      }),
    use: ({ code, publicKey, user }) =>
      store.write((ledger) => {
        const nowMs = now()
        settleIn(ledger, nowMs)
        const invitation = readInvitation(ledger, code.id)
        if (invitation === undefined || invitation.state === 'void') return undefined
        if (invitation.secretHash !== hashOf(code)) {
          countWrong(ledger, invitation, nowMs)
          return undefined
        }
        return useIn(ledger, invitation, { publicKey, nowMs, deviceId: uuid(), user })
      }),
    async settle() {
      if ((await store.read((ledger) => readInvitations(ledger).length)) > 0)
        await store.write((ledger) => settleIn(ledger, now()))
    },
  }
}

/** Who uses an invitation whose secret was right, and when. */
interface Use extends Pick<InvitationUse, 'publicKey' | 'user'> {
  readonly nowMs: number
  readonly deviceId: string
}

function useIn(ledger: Ledger, invitation: Invitation, { nowMs, ...use }: Use): Invited | undefined {
  const { scopes, label, deviceSeconds, state } = invitation
  const expiresAtMs = deviceSeconds === null ? null : nowMs + deviceSeconds * 1_000
  const made = createInvited({ scopes, label, expiresAtMs, enrolledAtMs: nowMs, ...use })
  const device = ledger.device(made.device.keyId)
  if (state === 'used') {
    const isSame = invitation.keyId === made.device.keyId
    return isSame && device?.status === 'active' ? { isNew: false, device } : undefined
  }
  // A code enrols a new device, and changes none: another code or the owner may have set the limits of a known one.
  if (device !== undefined) return undefined
  made.enrolIn(ledger)
  writeInvitation(ledger, { ...invitation, state: 'used', endedAtMs: nowMs, keyId: made.device.keyId })
  return { isNew: true, device: made.device }
}

function countWrong(ledger: Rows, invitation: Invitation, nowMs: number): void {
  if (invitation.state !== 'open') return
  const counted = { ...invitation, wrongSecrets: invitation.wrongSecrets + 1 }
  writeInvitation(ledger, counted.wrongSecrets >= MAX_WRONG ? voided(counted, nowMs) : counted)
}

const voided = (invitation: Invitation, nowMs: number): Invitation => ({
  ...invitation,
  state: 'void',
  endedAtMs: nowMs,
})

/** Ends what has expired, makes void what was made before the clock was set back, and removes what ended a day ago. */
function settleIn(ledger: Rows, nowMs: number): void {
  for (const invitation of readInvitations(ledger)) {
    const { id, state, seenAtMs, endedAtMs, expiresAtMs } = invitation
    const isBack = nowMs < seenAtMs - CLOCK_STEP_MS
    if (endedAtMs !== null && nowMs - endedAtMs >= KEPT_MS) deleteInvitation(ledger, id)
    else if (state !== 'void' && isBack) writeInvitation(ledger, voided(invitation, seenAtMs))
    else if (state === 'open' && nowMs >= expiresAtMs) writeInvitation(ledger, voided(invitation, nowMs))
    else if (nowMs > seenAtMs) writeInvitation(ledger, { ...invitation, seenAtMs: nowMs })
  }
}
