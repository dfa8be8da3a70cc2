/** The signed use of an invitation, which shows that the device has the private half of its key. */
import { canonicalText } from './canonical.ts'

/** The body that enrols a device by a code. */
export interface InvitationUse {
  /** `svcd1-<id>-<secret>`. */
  readonly code: string
  /** The key of the device, 64 lower-case hex. */
  readonly publicKey: string
  /** Standard base64 of 64 bytes: Ed25519 over the canonical form of the other members and the context. */
  readonly signature: string
}

/** Separates this signature from every other signed statement. It is signed and not sent. */
const CONTEXT = 'svc-device-invite-1'

/** The text that the device signs. */
export function invitationText({ code, publicKey }: Pick<InvitationUse, 'code' | 'publicKey'>): string {
  return canonicalText({ code, context: CONTEXT, publicKey })
}
