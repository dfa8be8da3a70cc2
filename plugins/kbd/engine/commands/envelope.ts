/** Reads the signed bytes of a command: checks 3 to 7 and 16 of the list in ../engine.ts. */

import { isObject, sizeFault } from '../../../../core/kernel/values.ts'
import type { CommandEnvelope } from '../../api.ts'
import { fail, invalid } from '../../errors.ts'
import type { EntryCodecs } from '../codecs.ts'
import type { ProvenCommand } from '../ledger.ts'
import { MAX_HEADS } from '../limits.ts'
import { findInvalid, projectOf } from './commands.ts'
import { hash as hashForm } from './fields.ts'
import { findBlank, inWords } from './words.ts'

/** The schemaVersion of commands. */
const COMMAND_SCHEMA_VERSION = '2'

/** An envelope whose members were checked and whose signature was not. */
export interface ReadCommand extends ProvenCommand {
  readonly signedBytes: Uint8Array
  readonly publicKey: Uint8Array
  readonly signature: Uint8Array
}

const UUID =
  /^(?!0{8}-0{4}-0{4}-0{4}-0{12}$)(?![fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12}$)[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/
const DOMAIN = /^kbd-control:[a-z0-9][a-z0-9._-]{0,63}$/
const KEY_ID = /^ed25519:[0-9a-f]{64}$/
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw](==)?$/

const isText = (value: unknown, expression: RegExp): boolean => typeof value === 'string' && expression.test(value)

/** The members of an envelope, each with the check of its value. */
const MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  schemaVersion: (value) => value === COMMAND_SCHEMA_VERSION,
  commandId: (value) => isText(value, UUID),
  domain: (value) => isText(value, DOMAIN),
  expectedFrontier: isFrontier,
  concurrency: (value) => value === 'strict' || value === 'merge',
  command: isObject,
  issuedAtMs: Number.isInteger,
  signerKeyId: (value) => isText(value, KEY_ID),
  signature: (value) => isText(value, SIGNATURE),
}

/**
 * Reads the bytes of a body. Throws `payload_too_large`, the errors of JSON admission, and the errors of
 * `readEnvelope`.
 */
export function readBody(bytes: Uint8Array, maxBytes: number, codecs: EntryCodecs): ReadCommand {
  if (bytes.length > maxBytes) throw tooLarge(maxBytes, bytes.length)
  const command = readEnvelope(codecs.admitJson(bytes), maxBytes, codecs)
  if (command.envelope.issuedAtMs < 0) throw malformed('/issuedAtMs')
  return command
}

/**
 * Reads an envelope from JSON that was parsed strictly, as a whole body or as a part of a body. Throws
 * `unsupported_schema_version`, `malformed_request`, `payload_too_large`.
 */
export function readEnvelope(value: unknown, maxBytes: number, codecs: EntryCodecs): ReadCommand {
  if (!isObject(value)) throw malformed('/')
  const { schemaVersion } = value
  if (typeof schemaVersion === 'string' && schemaVersion !== COMMAND_SCHEMA_VERSION)
    throw fail('unsupported_schema_version', { hint: 'send "2"' })
  const wrong = Object.keys(MEMBERS).find((name) => !Object.hasOwn(value, name) || !MEMBERS[name]!(value[name]))
  if (wrong !== undefined) throw malformed(`/${wrong}`)
  if (Object.keys(value).length !== Object.keys(MEMBERS).length) throw malformed('/*')
  const input = value as unknown as CommandEnvelope
  const signature = codecs.fromBase64(input.signature)
  const publicKey = codecs.fromKeyId(input.signerKeyId)
  if (signature === undefined || publicKey === undefined) throw malformed('/signature')
  const { signature: _, ...signed } = input
  const signedText = codecs.canonicalText(signed)
  const signedBytes = new TextEncoder().encode(signedText)
  // The padding of the signature is optional. It is encoded again, so that every node stores the same text for a
  // command.
  const envelope: CommandEnvelope = { ...signed, signature: codecs.toBase64(signature) }
  // RFC 8785 section 3.2.3 sorts the members by name. Only `signerKeyId` comes after `signature`.
  const signerAt = signedText.length - `"signerKeyId":"${input.signerKeyId}"}`.length
  const text = `${signedText.slice(0, signerAt)}"signature":"${envelope.signature}",${signedText.slice(signerAt)}`
  if (text.length > maxBytes) throw tooLarge(maxBytes, text.length)
  const id = codecs.sha256(signedBytes)
  return { id, project: projectOf(input.domain), envelope, text, signedBytes, publicKey, signature }
}

/**
 * The latest time that a command may have: a date that JavaScript can show, a lease of a day later too
 * (ECMA-262 section 21.4.1.1).
 */
const LATEST_MS = 8.64e15 - 86_400_000

/**
 * Throws `command_invalid` if the time of a command is out of range. A command of a peer or an import may have any time
 * in this range: a time ahead of the clock here must not block the descendants of the command.
 */
export function requireTime({ envelope: { issuedAtMs } }: ReadCommand): void {
  if (issuedAtMs < 0 || issuedAtMs > LATEST_MS) throw invalid('/issuedAtMs')
}

/** Check 16. Throws `command_invalid` with the first invalid member. */
export function requireValid({ envelope }: ReadCommand, codecs: EntryCodecs): void {
  const member = findInvalid(envelope.command as unknown as Readonly<Record<string, unknown>>, codecs)
  if (member !== undefined) throw invalid(member, { message: inWords(envelope.command, member) })
}

/** Refuses texts that people cannot see; part of check 16. Throws `command_invalid`. */
export function requireSeen({ envelope: { command } }: ReadCommand): void {
  const member = findBlank(command)
  if (member !== undefined) throw invalid(member, { message: inWords(command, member) })
}

function tooLarge(maxBytes: number, bytes: number): Error {
  return fail('payload_too_large', { message: sizeFault('A command', maxBytes, bytes) })
}

/** A `malformed_request` that names the place. */
export function malformed(place: string): Error {
  return fail('malformed_request', { message: `A member is unknown, missing or of the wrong form: ${place}.` })
}

function isFrontier(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).length !== 1 || !Array.isArray(value['heads'])) return false
  const heads: readonly unknown[] = value['heads']
  return (
    heads.length <= MAX_HEADS &&
    heads.every(
      (head, i) => hashForm(head, '') === undefined && (i === 0 || (heads[i - 1] as string) < (head as string)),
    )
  )
}
