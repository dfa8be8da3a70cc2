/** Why a request to a peer failed, with a message that says what the owner can do. */
import { isObject } from '../../../../core/kernel/values.ts'
import type { LinkError, PeerEntry } from '../../api.ts'
import { projectOptions } from '../../registry/command-lines.ts'

/** A peer could not be reached, or it refused the request. */
export class PeerRefusal extends Error {
  readonly code: string
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** Every refusal of a peer may end by itself or by an action of an owner. */
  readonly retryable: true = true
  /** The index of the refused command, if the peer has named one. */
  readonly index: unknown
  /** Whether no byte of the request can have arrived. */
  readonly isUnsent: boolean

  constructor(code: string, message: string, status = 0, index?: unknown, isUnsent = false) {
    super(message)
    this.code = code
    this.status = status
    this.index = index
    this.isUnsent = isUnsent
  }
}

/** A refusal with the code `bad_answer`: the response of the peer is not valid. */
export function badAnswer(message: string): PeerRefusal {
  return new PeerRefusal('bad_answer', message)
}

/** The refusal in an error response to a request to `entry`. `ownId` is the endpoint id of this node. */
export function toRefusal(status: number, value: unknown, entry: PeerEntry, ownId: string): PeerRefusal {
  const error: Readonly<Record<string, unknown>> = isObject(value) && isObject(value['error']) ? value['error'] : {}
  const { code, message, index } = error
  if (typeof code !== 'string' || !/^[a-z_]{1,64}$/.test(code))
    return new PeerRefusal('bad_answer', `The peer answered with ${status} without an error code.`, status)
  const said = typeof message === 'string' ? message.slice(0, 120) : ''
  return new PeerRefusal(code, `${hintOf(code, entry, ownId)} ${status} ${said}`.trim(), status, index)
}

/**
 * What the owner of the peer can do. `svc peer add` replaces the projects of an entry, so the hint names all that this
 * node shares with the peer.
 */
function hintOf(code: string, { projects }: PeerEntry, ownId: string): string {
  if (code === 'scope_not_found')
    return `There, the owner names the project with the others of this node: svc peer add ${ownId}${projectOptions(projects)}, and enrols a device for it.`
  if (code === 'signer_unknown')
    return 'There, the owner enrols the signing device: svc device enroll --key <keyId> --scope <scope>, or svc device import <file>.'
  return 'The peer refused:'
}

/** The refusal for a failure of the link. `ownId` is the endpoint id of this node. */
export function toLinkRefusal(
  { code, message, isUnsent = false }: Pick<LinkError, 'code' | 'message' | 'isUnsent'>,
  entry: PeerEntry,
  ownId: string,
): PeerRefusal {
  return new PeerRefusal(code, toHint(code, message, entry, ownId), 0, undefined, isUnsent)
}

/** Names the peer and what the owner of this node can do. */
function toHint(code: string, message: string, { label, endpointId, projects }: PeerEntry, ownId: string): string {
  const name = label ?? endpointId.slice(0, 12)
  switch (code) {
    case 'wrong_key':
      return `${message} Check the address of ${name}, or enter its new id: svc peer add <id> --address <host:port>${projectOptions(projects)}`
    case 'not_listed':
      return `${name} does not know this node. There: svc peer add ${ownId}${projectOptions(projects)}`
    case 'unreachable':
      return `${name}: ${message} Check --address here, and peer.listen there.`
    case 'version':
      return `${name}: ${message} Check the address of ${name}, or upgrade one side.`
    case 'timeout':
      return `${name} did not answer in time. Is it running, and does it listen?`
    default:
      return `${name}: ${message}`
  }
}
