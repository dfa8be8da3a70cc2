/** Stores a text, if there is room for a text that nothing shows yet. */
import { sizeFault } from '../../../../core/kernel/values.ts'
import { fail } from '../../errors.ts'
import type { Codecs } from '../codecs.ts'
import type { KbdLimits } from '../limits.ts'
import type { ContentStatements } from './statements.ts'

/** The source of a text. A text that the owner of this node puts has neither projects nor a peer. */
export interface TextSource {
  /** The projects that the text comes in under. */
  readonly projects: readonly string[]
  /** The peer that sends the text, and the most bytes of its texts that no command names. */
  readonly peer?: TextPeer | undefined
}

/** A name under which texts are counted until a command names them, and the most bytes of them. */
export interface TextOrigin {
  readonly name: string
  readonly bytes: number
}

/** A sender of texts. Those of several senders with the same `together` are counted under this name too. */
export interface TextPeer extends TextOrigin {
  readonly together?: TextOrigin | undefined
}

/** The origin of texts of this node. */
export const SELF = ''

/** The parts that store a text. */
export interface PutParts {
  readonly statements: ContentStatements
  readonly codecs: Codecs
  readonly limits: KbdLimits
}

/** Stores bytes under their hash: see `Content.put`. */
export function putText(
  { statements, codecs, limits }: PutParts,
  hash: string,
  bytes: Uint8Array,
  nowMs: number,
  { projects, peer }: TextSource,
): boolean {
  if (bytes.length > limits.maxContentBytes)
    throw fail('payload_too_large', { message: sizeFault('A text', limits.maxContentBytes, bytes.length) })
  if (codecs.sha256(bytes) !== hash) throw fail('content_mismatch')
  const origin = peer?.name ?? SELF
  const isRedacted = statements.isRedacted(hash)
  const isHere = isRedacted === false
  const shownIn = projects.map((project) => statements.isShownIn(hash, statements.numberOf(project)))
  const isShownAnywhere = statements.isShown(hash)
  const isShown = peer === undefined ? isShownAnywhere : !shownIn.includes(false)
  // For a peer the result depends only on its own projects, so that it reveals nothing about other projects.
  const isNew =
    peer === undefined
      ? !isHere
      : !isShown || !isHere || !projects.every((project) => statements.hasArrival(hash, project))
  const isPaid =
    isRedacted !== undefined &&
    (peer === undefined || projects.every((project) => statements.hasArrivalFrom(hash, project, origin)))
  const cost = statements.costOf(bytes.length)
  if (!isShown && !isPaid) requireRoom(statements, limits, cost, peer)
  const since = isShownAnywhere ? null : nowMs
  if (isRedacted === undefined) statements.insert(hash, bytes.length, codecs.toBase64(bytes), since)
  else if (isRedacted) statements.restore(hash, since)
  const origins = [origin, ...(peer?.together === undefined ? [] : [peer.together.name])]
  for (const [index, project] of projects.entries())
    for (const origin of origins)
      statements.insertArrival({ hash, project, origin, cost, unwantedSinceMs: shownIn[index] === true ? null : nowMs })
  return isNew
}

/** Throws `content_full` if the texts that nothing shows yet would take too many bytes. */
function requireRoom(statements: ContentStatements, limits: KbdLimits, cost: number, peer: TextSource['peer']): void {
  if (cost + statements.waiting() > limits.unnamedContentBytes) throw fail('content_full')
  for (const origin of peer === undefined ? [] : [peer, peer.together])
    if (origin !== undefined && cost + statements.waitingFrom(origin.name) > origin.bytes) throw fail('content_full')
}
