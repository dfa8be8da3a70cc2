/**
 * The parts of the engine: codecs, hashes, a database, limits. With them the engine depends on no platform and no other
 * family.
 */
import type { Awaitable } from '../../../core/awaitable.ts'

/** A value of a column. */
export type SqlValue = string | number | null

/** A prepared statement with positional parameters; a row is the values in the order of the columns. */
export interface SqlStatement {
  run(...parameters: readonly SqlValue[]): void
  get<Row extends readonly SqlValue[]>(...parameters: readonly SqlValue[]): Row | undefined
  all<Row extends readonly SqlValue[]>(...parameters: readonly SqlValue[]): readonly Row[]
}

/** One open database; the driver of the receipt store is one. */
export interface SqlDriver {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
}

/** Returns the statement of a text, compiled when it is first used. */
export type Sql = (text: string) => SqlStatement

/** The statements of a database. */
export function createSql(driver: Pick<SqlDriver, 'prepare'>): Sql {
  const prepared = new Map<string, SqlStatement>()
  return (text) => {
    let statement = prepared.get(text)
    if (statement === undefined) prepared.set(text, (statement = driver.prepare(text)))
    return statement
  }
}

/** The row of a statement that always returns one. Throws if there is none, which happens only in a damaged store. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('A statement returned no row.')
  return row
}

/** Text forms and hashes, the same ones that pushes use. */
export interface Codecs {
  /** In lower-case hex. */
  sha256(bytes: Uint8Array): string
  /** RFC 8785. */
  canonicalText(value: unknown): string
  toBase64(bytes: Uint8Array): string
  /** Decodes standard base64 strictly. Returns undefined for any other text. */
  fromBase64(text: string): Uint8Array | undefined
}

/** The codecs of an entry point for signed bytes. */
export interface EntryCodecs extends Codecs {
  /** Parses strictly; throws `malformed_json` or `canonicalization_failed`. */
  admitJson(bytes: Uint8Array): unknown
  /** The public key of a key id. */
  fromKeyId(keyId: string): Uint8Array | undefined
  /** Whether all implementations of Ed25519 accept the key. */
  isAdmissibleKey(publicKey: Uint8Array): boolean
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Awaitable<boolean>
}

/** The limits of the engine. On a server they are settings. */
export interface KbdLimits {
  readonly maxCommandBytes: number
  /** The most commands of one project, at entry. */
  readonly maxCommands: number
  /** The most commands of the project that the author of a command has not seen, at entry. */
  readonly maxDivergence: number
  /** The most branches of one device, at entry. */
  readonly maxDeviceHeads: number
  /** The most live claims of a device. */
  readonly maxClaims: number
  /**
   * The most labels that a card ever had, at entry. Each is a register, and every read of the card reads all registers.
   */
  readonly maxLabels: number
  readonly windowPastMs: number
  readonly windowFutureMs: number
  readonly mergeWindowMs: number
  readonly maxContentBytes: number
  readonly unnamedContentBytes: number
  readonly contentGraceMs: number
}

/** The default limits. */
export const defaultLimits: KbdLimits = {
  maxCommandBytes: 65_536,
  maxCommands: 1_000_000,
  maxDivergence: 10_000,
  maxDeviceHeads: 16,
  maxClaims: 64,
  maxLabels: 256,
  windowPastMs: 300_000,
  windowFutureMs: 30_000,
  mergeWindowMs: 30 * 86_400_000,
  maxContentBytes: 262_144,
  unnamedContentBytes: 64 * 1024 * 1024,
  contentGraceMs: 24 * 3_600_000,
}

/** The most heads that a response lists, and the most parents that a command names. */
export const MAX_HEADS = 64

/** The SHA-256 of a value's canonical form, in hex. */
export function hashOf(codecs: Codecs, value: unknown): string {
  return codecs.sha256(new TextEncoder().encode(codecs.canonicalText(value)))
}
