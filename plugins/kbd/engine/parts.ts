/** What the engine is given, so that it needs no platform and no other family: codecs, hashes, a database, its limits. */
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

/** Gives a statement, compiled when it is first used. */
export type Sql = (text: string) => SqlStatement

/** The statements of a database. */
export function createSql(driver: SqlDriver): Sql {
  const prepared = new Map<string, SqlStatement>()
  return (text) => {
    let statement = prepared.get(text)
    if (statement === undefined) prepared.set(text, (statement = driver.prepare(text)))
    return statement
  }
}

/** Text forms and hashes, the same as a push has. */
export interface Codecs {
  /** In lower-case hex. */
  sha256(bytes: Uint8Array): string
  /** RFC 8785. */
  canonicalText(value: unknown): string
  toBase64(bytes: Uint8Array): string
  /** Strict; undefined for anything else. */
  fromBase64(text: string): Uint8Array | undefined
}

/** What an entry point for signed bytes needs besides. */
export interface EntryCodecs extends Codecs {
  /** Parses strictly; throws `malformed_json` or `canonicalization_failed`. */
  admitJson(bytes: Uint8Array): unknown
  /** The public key of a key id. */
  fromKeyId(keyId: string): Uint8Array | undefined
  /** Whether every engine agrees on the key (docs: one rule for all engines). */
  isAdmissibleKey(publicKey: Uint8Array): boolean
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Awaitable<boolean>
}

/** The numbers of the engine; each is a setting of the same name on the server. */
export interface KbdLimits {
  readonly maxCommandBytes: number
  /** Commands of one project, at entry. */
  readonly maxCommands: number
  /** Commands that the parents may lie behind, at entry. */
  readonly maxDivergence: number
  /** Branches of its own that a device may have, at entry. */
  readonly maxDeviceHeads: number
  /** Live claims of a device. */
  readonly maxClaims: number
  /** Labels that a card ever had, at entry: each stands in every reading of the card. */
  readonly maxLabels: number
  readonly windowPastMs: number
  readonly windowFutureMs: number
  readonly mergeWindowMs: number
  readonly maxContentBytes: number
  readonly unnamedContentBytes: number
  readonly contentGraceMs: number
}

/** The limits as the decisions have them. */
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

/** Heads that an answer lists, and parents that a command may name. */
export const MAX_HEADS = 64

/** The SHA-256 of a value's canonical form, in hex. */
export function hashOf(codecs: Codecs, value: unknown): string {
  return codecs.sha256(new TextEncoder().encode(codecs.canonicalText(value)))
}
