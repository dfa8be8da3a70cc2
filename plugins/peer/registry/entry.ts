/** Checks the entry of a peer. The same rules are used for the command line, the settings and pairing. */
import { fromEndpointId, isAdmissibleKey } from '../../protocol/keys.ts'
import { PROJECT_NAME } from '../../protocol/scopes.ts'
import type { PeerEntry } from '../api.ts'

const LABEL = /^[a-z0-9][a-z0-9._-]*$/
const LABEL_CHARACTERS = 'a-z, 0-9, dot, hyphen and underscore'
/** Most characters of a label. */
const MAX_LABEL = 64
const HEX = /^[0-9a-f]{64}$/
const ADDRESS = /^(?:\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?):([1-9]\d{0,4})$/
/** Most addresses of one entry. */
const MAX_ADDRESSES = 16
/** Most projects of one entry. */
const MAX_PROJECTS = 1_024

const PROJECT_FORM = '1 to 64 of a-z, 0-9, dot, underscore and hyphen, beginning with a letter or digit'

/** The parts of an entry that the owner writes. */
export type PeerParts = Omit<PeerEntry, 'source'>

/**
 * The first error of an entry, as a message; undefined if the entry is valid. `ownId` is the endpoint id of this node.
 */
export function findWrong({ endpointId, addresses, label, projects }: PeerParts, ownId?: string): string | undefined {
  const key = fromEndpointId(endpointId)
  if (key === undefined) return 'an endpoint id is 64 lower-case hex digits: svc peer id prints it on the other node'
  if (!isAdmissibleKey(key)) return 'this endpoint id is no Ed25519 key that can be trusted'
  if (endpointId === ownId) return 'this is the endpoint id of this node'
  if (addresses.length > MAX_ADDRESSES)
    return `a peer has at most ${MAX_ADDRESSES} addresses; this has ${addresses.length}`
  const address = addresses.find((one) => !isAddress(one))
  if (address !== undefined) return `no address: ${address} (host:port, [::1]:port)`
  const labelWrong = label === null ? undefined : findWrongLabel(label)
  if (labelWrong !== undefined) return labelWrong
  if (projects.length > MAX_PROJECTS)
    return `an entry names at most ${MAX_PROJECTS} projects; this names ${projects.length}`
  const project = projects.find((one) => !PROJECT_NAME.test(one))
  return project === undefined ? undefined : `no name of a project: ${project} (${PROJECT_FORM})`
}

function findWrongLabel(label: string): string | undefined {
  if (label.length === 0 || label.length > MAX_LABEL)
    return `a label has 1 to ${MAX_LABEL} characters; this has ${label.length}`
  if (HEX.test(label)) return 'a label is no endpoint id'
  return LABEL.test(label) ? undefined : `a label has only ${LABEL_CHARACTERS}, and begins with a letter or digit`
}

/** Whether a text is `host:port`. */
function isAddress(text: string): boolean {
  const port = ADDRESS.exec(text)?.[1]
  return port !== undefined && Number(port) <= 65_535
}

/** An error of `findWrong` as a sentence. */
export function toSentence(wrong: string): string {
  return `${wrong.charAt(0).toUpperCase()}${wrong.slice(1)}.`
}
