/** Reads and checks the members of pairing requests. */
import { fail } from '../../errors.ts'
import { findWrong, type PeerParts, toSentence } from '../../registry/entry.ts'
import { malformed } from '../wire/bodies.ts'
import { isTexts } from './pairing-code.ts'

/**
 * The common members of the two requests of the owner. `projects` is sorted if it is a list of texts, and not checked
 * otherwise.
 */
export interface PairingOptions {
  readonly devices: boolean
  readonly label: string | null
  readonly projects: unknown
}

/** Reads the common members. Throws `malformed_request`. */
export function readOptions({
  devices,
  label,
  projects,
}: Readonly<Record<'devices' | 'label' | 'projects', unknown>>): PairingOptions {
  if (typeof devices !== 'boolean') throw malformed('/devices')
  if (!(label === null || typeof label === 'string')) throw malformed('/label')
  return { devices, label, projects: isTexts(projects) ? [...new Set(projects)].sort() : projects }
}

/** A list of addresses; undefined for null. Throws `malformed_request` for anything else. */
export function readAddresses(value: unknown): readonly string[] | undefined {
  if (value === null) return undefined
  if (!isTexts(value)) throw malformed('/addresses')
  return value
}

/** Throws `malformed_request` with the reason if an entry is not valid. */
export function checkEntry(entry: PeerParts, ownId?: string): void {
  const wrong = findWrong(entry, ownId)
  if (wrong !== undefined) throw fail('malformed_request', { message: toSentence(wrong) })
}

/** The error for a label that another peer has. */
export function labelTaken(): Error {
  return fail('malformed_request', { message: 'Another peer has this label.' })
}
