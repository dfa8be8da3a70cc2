/** Sends the texts that a peer lacks for a push. */
import type { TraceContext } from '../../../../core/http/request.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { Envelope } from '../../../sync/api.ts'
import type { PeerEntry } from '../../api.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { PeerRefusal } from '../asking/peer-refusal.ts'
import { paths } from '../paths.ts'
import { projectOf } from '../wire/project-of.ts'

/** What sending texts needs. */
export interface GiveContentParts {
  readonly asking: Asking
  readonly boards: Boards
  /** The trace of the request that made a push. */
  readonly traceOf: (pushId: string) => TraceContext | undefined
}

/** Sends the texts of some hashes. Rejects with `content_missing`, after sending the others, if this node lacks one of them. */
export type GiveContent = (entry: PeerEntry, envelope: Envelope, hashes: readonly string[]) => Promise<void>

/** Creates the sending of texts. */
export function createGiveContent({ asking, boards, traceOf }: GiveContentParts): GiveContent {
  return async (entry, { domain, pushId }, hashes) => {
    const project = projectOf(domain)
    const trace = traceOf(pushId)
    let lacking = 0
    for (const hash of hashes) {
      const body = await boards.read((reads) => reads.contentFor(project, hash, entry.endpointId))
      if (body === undefined) lacking++
      else await asking.ask(entry, { method: 'PUT', path: `${paths.project(project)}/content/${hash}`, body, trace })
    }
    if (lacking > 0) throw new PeerRefusal('content_missing', `${lacking} texts that the peer needs are not here.`)
  }
}
