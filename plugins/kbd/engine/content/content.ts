/** Texts of cards and comments by their SHA-256. Texts that commands name are kept, other texts for a limited time. */
import type { Codecs } from '../codecs.ts'
import type { EntityEntries, RegisterEntry } from '../fold/registers.ts'
import type { KbdLimits } from '../limits.ts'
import type { Sql } from '../sql.ts'
import { putText, SELF, type TextSource } from './put.ts'
import { type ContentStatements, createContentStatements } from './statements.ts'

/** The reader of a text: a peer, under a project. */
export interface TextReader {
  readonly project: string
  readonly peer: string
}

/** The texts of a node. */
export interface Content {
  /**
   * Stores bytes under their hash, and shows them again if a redaction hid them. Returns false if nothing is new: for a
   * peer, if a command of its project shows the text and it came in under that project before. Throws
   * `content_mismatch`, `payload_too_large`, or `content_full` if nothing shows the text yet and too many such bytes
   * are stored.
   */
  put(hash: string, bytes: Uint8Array, nowMs: number, from?: TextSource): boolean
  /** The bytes; undefined if they are not here, hidden by a redaction, or not shown by a command of `p`. */
  get(hash: string, p?: number): Uint8Array | undefined
  /**
   * The same for a peer: only bytes that came in under the project, or that the peer has sent itself. A command that
   * names the hash does not prove that its author has the text.
   */
  getFor(hash: string, p: number, reader: TextReader): Uint8Array | undefined
  /** Hashes that commands of a project name and show, and that have not come in under the project; at most `limit`. */
  wanted(p: number, project: string, limit: number): readonly string[]
  /** Whether commands of a project name a hash, shown or hidden. */
  isNamed(hash: string, p?: number): boolean
  /** Removes bytes that nothing has shown for the grace time; at most `limit`. Returns how many. */
  sweep(nowMs: number, limit: number): number
  /** Notes the texts that entries of an entity name, and whether the entity hides its texts. */
  named(p: number, project: string, now: EntityEntries, written: readonly RegisterEntry[], nowMs: number): void
  /** Notes that a device of this node names a text in a project, so that peers may read the text there. */
  vouched(project: string, hash: string): void
}

/** Makes the texts. */
export function createContent(sql: Sql, codecs: Codecs, limits: KbdLimits): Content {
  const statements = createContentStatements(sql)
  const parts = { statements, codecs, limits }
  const isNamed: Content['isNamed'] = (hash, p) =>
    p === undefined ? statements.isNamed(hash) : statements.isNamedIn(hash, p)
  const bytesOf = (hash: string): Uint8Array | undefined => {
    const data = statements.data(hash)
    return data === undefined ? undefined : codecs.fromBase64(data)
  }

  return {
    put: (hash, bytes, nowMs, from = { projects: [] }) => putText(parts, hash, bytes, nowMs, from),
    get(hash, p) {
      const isHidden = p === undefined ? isNamed(hash) && !statements.isShown(hash) : !statements.isShownIn(hash, p)
      return isHidden ? undefined : bytesOf(hash)
    },
    getFor: (hash, p, { project, peer }) =>
      statements.isShownIn(hash, p) && statements.hasArrivalFor(hash, project, peer) ? bytesOf(hash) : undefined,
    wanted: statements.wanted,
    isNamed,
    sweep(nowMs, limit) {
      const untilMs = nowMs - limits.contentGraceMs
      return Math.max(statements.deleteTexts(untilMs, limit), statements.deleteArrivals(untilMs, limit))
    },
    named: (p, project, now, written, nowMs) => noteNames(statements, p, project, now, written, nowMs),
    vouched(project, hash) {
      if (statements.isShownIn(hash, statements.numberOf(project)))
        statements.insertArrival({ hash, project, origin: SELF, cost: 0, unwantedSinceMs: null })
    },
  }
}

/** Notes the texts that entries of an entity name, and whether the entity hides its texts: see `Content.named`. */
function noteNames(
  statements: ContentStatements,
  p: number,
  project: string,
  { entity, byName }: EntityEntries,
  written: readonly RegisterEntry[],
  nowMs: number,
): void {
  const isHidden = isRedacted(byName.get('redacted') ?? [])
  const touched = new Set<string>()
  for (const { name, value } of written) {
    if (name !== 'bodyHash' || value === 'null') continue
    const hash = JSON.parse(value) as string
    statements.insertName({ hash, p, entity, isHidden })
    touched.add(hash)
  }
  if (written.some(({ name }) => name === 'redacted'))
    for (const hash of statements.setHidden(p, entity, isHidden)) touched.add(hash)
  for (const hash of touched) {
    if (isHidden) statements.redact(hash)
    statements.setUnwanted(hash, statements.isShown(hash) ? null : nowMs)
    statements.setUnwantedIn(hash, project, statements.isShownIn(hash, p) ? null : nowMs)
  }
}

/** Of several values true wins. */
function isRedacted(redactions: readonly RegisterEntry[]): boolean {
  return redactions.some(({ value }) => value === 'true')
}
