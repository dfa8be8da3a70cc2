/** Fetches the texts that commands of a project name and this node lacks. */
import type { Boards } from '../../../kbd/capabilities.ts'
import type { SyncShared } from '../../../sync/capabilities.ts'
import type { PeerEntry } from '../../api.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { badAnswer, PeerRefusal } from '../asking/peer-refusal.ts'
import { paths } from '../paths.ts'

/** What fetching texts needs. */
export interface PullContentParts {
  readonly asking: Asking
  readonly boards: Boards
  readonly shared: Pick<SyncShared, 'sha256'>
}

/** Most texts of one pull. */
const MAX_CONTENT = 1_000

/** Creates the pull of texts. It resolves with the number of new texts. */
export function createPullContent({
  asking,
  boards,
  shared,
}: PullContentParts): (entry: PeerEntry, project: string) => Promise<number> {
  return async (entry, project) => {
    const wanted = await boards.read((reads) => reads.wantedContent(project, MAX_CONTENT))
    let taken = 0
    for (const hash of wanted) {
      try {
        const path = `${paths.project(project)}/content/${hash}`
        const bytes = await asking.fetch(entry, { method: 'GET', waits: true, path })
        if (shared.sha256(bytes) !== hash)
          throw badAnswer('The peer gave another text than the one that was asked for.')
        if (await boards.putContent(hash, bytes, { projects: [project] })) taken++
      } catch (error) {
        // The peer may have redacted the text, or may lack it too.
        if (!(error instanceof PeerRefusal) || error.code !== 'content_not_found') throw error
      }
    }
    return taken
  }
}
