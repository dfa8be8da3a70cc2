/**
 * `svc/sign`: keys of devices, signed pushes and commands, and verification of the acknowledgements of peers. It signs
 * objects of a fixed type and never a given text, so that a signature cannot be made for one purpose and used for
 * another.
 */

import { getPublicKey, sign as signBytes } from '@noble/ed25519'
import { systemRandom } from '../../../core/kernel/environment.ts'
import type { Awaitable } from '../../../core/kernel/values.ts'
import { ACKNOWLEDGED, ACKNOWLEDGEMENT_CONTEXT, acknowledgedText } from '../acknowledgement.ts'
import { canonicalText } from '../canonical.ts'
import { toBase64, toHex } from '../codecs.ts'
import { type InvitationUse, invitationText } from '../invitation.ts'
import { fromEndpointId, toKeyId } from '../keys.ts'
import { PUSH_SCHEMA_VERSION } from '../pushes.ts'
import type {
  Command,
  CommandDraft,
  CommandEnvelope,
  Frontier,
  PushDraft,
  PushRequest,
  SignedAcknowledgement,
} from './shapes.ts'
import { isSignedBy, verifyCommand } from './verify.ts'
// Sets the hash function of the library.
import '../verify-signature.ts'

export type { InvitationUse } from '../invitation.ts'
export type { Command, CommandDraft, CommandEnvelope, Frontier, PushDraft, PushRequest, SignedAcknowledgement }
export { verifyCommand }

/** A private key that signs bytes: a key in memory, in a key store of the platform, or in hardware. */
export interface DeviceKey {
  /** `ed25519:` and 64 lower-case hex. */
  readonly keyId: string
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  /** An Ed25519 signature (RFC 8032) of 64 bytes. */
  sign(message: Uint8Array): Awaitable<Uint8Array>
}

/** A key whose private half is in memory. */
export interface HeldDeviceKey extends DeviceKey {
  /** The private key of RFC 8032 section 5.1.5, 32 bytes. Keep it secret; `createDeviceKey` accepts it again. */
  readonly secret: Uint8Array
}

/** The clock and the source of ids for signed requests; those of the platform by default. */
export interface SignOptions {
  /** Unix time in milliseconds. */
  readonly now?: () => number
  /** A fresh UUID, lower case. */
  readonly uuid?: () => string
}

/** The `schemaVersion` of commands. */
const COMMAND_SCHEMA_VERSION = '2'
const encoder = new TextEncoder()

/**
 * Creates a new key, or restores a key from its secret. Throws a `RangeError` if the secret does not have 32 bytes.
 *
 * @example
 * ```ts
 * import { createDeviceKey } from 'svc/sign'
 *
 * const key = await createDeviceKey()
 * const same = await createDeviceKey(key.secret)
 * same.keyId === key.keyId // → true
 * ```
 */
export async function createDeviceKey(secret: Uint8Array = systemRandom.bytes(32)): Promise<HeldDeviceKey> {
  if (secret.length !== 32) throw new RangeError('The secret of a device key has 32 bytes.')
  const held = secret.slice()
  const publicKey = getPublicKey(held)
  return { keyId: toKeyId(publicKey), publicKey, secret: held, sign: (message) => signBytes(message, held) }
}

/**
 * Signs a push. Send the result as JSON.
 *
 * @example
 * ```ts
 * import { createDeviceKey, signPush } from 'svc/sign'
 *
 * const key = await createDeviceKey()
 * const push = await signPush(key, { domain: 'project:kitchen' })
 * push.signerKeyId === key.keyId // → true
 * ```
 */
export function signPush(key: DeviceKey, draft: PushDraft, options: SignOptions = {}): Promise<PushRequest> {
  return sign(key, {
    schemaVersion: PUSH_SCHEMA_VERSION,
    requestId: draft.requestId ?? freshId(options),
    domain: draft.domain,
    targetEndpointIds: draft.targetEndpointIds ?? [],
    expectedFrontier: draft.expectedFrontier == null ? null : { heads: toSortedHeads(draft.expectedFrontier.heads) },
    issuedAtMs: draft.issuedAtMs ?? nowOf(options),
    signerKeyId: key.keyId,
  })
}

/**
 * Signs a command. Send the result as JSON. The command is not validated here: the service refuses an invalid command.
 *
 * @example
 * ```ts
 * import { createDeviceKey, signCommand, verifyCommand } from 'svc/sign'
 *
 * const key = await createDeviceKey()
 * const command = { type: 'board.create', boardId: 'b1', title: 'Kitchen' } as const
 * const signed = await signCommand(key, { project: 'home', parents: [], command })
 * verifyCommand(signed) // → true
 * ```
 */
export function signCommand(key: DeviceKey, draft: CommandDraft, options: SignOptions = {}): Promise<CommandEnvelope> {
  return sign(key, {
    schemaVersion: COMMAND_SCHEMA_VERSION as '2',
    commandId: draft.commandId ?? freshId(options),
    domain: `kbd-control:${draft.project}`,
    expectedFrontier: { heads: toSortedHeads(draft.parents) },
    concurrency: draft.concurrency ?? 'merge',
    command: draft.command,
    issuedAtMs: draft.issuedAtMs ?? nowOf(options),
    signerKeyId: key.keyId,
  })
}

/**
 * Whether an acknowledgement was signed by the endpoint that it names; with `receipt`, also whether it is about that
 * push. Returns false for any other value, for unknown or missing members, and for an inadmissible key. Never rejects.
 *
 * @example
 * ```ts
 * import { verifyAcknowledgement } from 'svc/sign'
 *
 * await verifyAcknowledgement({ state: 'applied' }) // → false
 * ```
 */
export async function verifyAcknowledgement(
  value: unknown,
  receipt?: { readonly pushId: string; readonly canonicalPayloadHash: string },
): Promise<boolean> {
  if (typeof value !== 'object' || value === null) return false
  const ack = value as SignedAcknowledgement
  const members = [...ACKNOWLEDGED, 'signature']
  if (Object.keys(ack).length !== members.length || members.some((name) => !Object.hasOwn(ack, name))) return false
  if (
    ack.context !== ACKNOWLEDGEMENT_CONTEXT ||
    typeof ack.signature !== 'string' ||
    typeof ack.endpointId !== 'string'
  )
    return false
  if (receipt !== undefined) {
    if (ack.pushId !== receipt.pushId || ack.canonicalPayloadHash !== receipt.canonicalPayloadHash) return false
  }
  try {
    return isSignedBy(fromEndpointId(ack.endpointId), acknowledgedText(ack), ack.signature)
  } catch {
    // A text with half of a surrogate pair has no canonical form.
    return false
  }
}

/**
 * Signs the use of an invitation, `svcd1-…`, which enrols this key. Send the result as JSON to
 * `POST /api/v2/sync/devices`; the same again is answered for a day.
 *
 * @example
 * ```ts
 * import { createDeviceKey, signInvitation } from 'svc/sign'
 *
 * const key = await createDeviceKey()
 * const use = await signInvitation(key, `svcd1-${'a'.repeat(16)}-${'b'.repeat(43)}`)
 * Object.keys(use) // → ['code', 'publicKey', 'signature']
 * ```
 */
export async function signInvitation(key: DeviceKey, code: string): Promise<InvitationUse> {
  const publicKey = toHex(key.publicKey)
  const signature = await key.sign(encoder.encode(invitationText({ code, publicKey })))
  return { code, publicKey, signature: toBase64(signature) }
}

async function sign<T extends object>(key: DeviceKey, shape: T): Promise<T & { signature: string }> {
  const signature = await key.sign(encoder.encode(canonicalText(shape)))
  return { ...shape, signature: toBase64(signature) }
}

/** The heads in ascending order, without duplicates. */
function toSortedHeads(heads: readonly string[]): readonly string[] {
  return [...new Set(heads)].sort()
}

function nowOf({ now }: SignOptions): number {
  return now === undefined ? Date.now() : now()
}

function freshId({ uuid }: SignOptions): string {
  return uuid === undefined ? systemRandom.uuid() : uuid()
}
