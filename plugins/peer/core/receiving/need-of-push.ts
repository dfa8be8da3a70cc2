/** What a waiting push still needs. */
import type { Boards } from '../../../kbd/capabilities.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import { MAX_IDS } from '../wire/bodies.ts'

/** What a push still needs: the commands that are not in the past of `have`, and some texts. */
export interface MissingAnswer {
  readonly have: { readonly heads: readonly string[] }
  /** Hashes of texts. */
  readonly content: readonly string[]
}

/** How far a push has come. */
export interface Advanced {
  readonly inboxed: Inboxed
  /** Whether the push had its final acknowledgement before. Its commands were then neither checked nor stored. */
  readonly wasFinished?: boolean
  /** Hashes of the missing texts, if nothing else is missing. */
  readonly content: readonly string[]
}

/** What a push still needs; null once it has its final acknowledgement. */
export type NeedOf = (advanced: Advanced) => Promise<MissingAnswer | null>

/** Creates it. */
export function createNeedOf(boards: Boards, staged: PeerStore['staged']): NeedOf {
  return async ({ inboxed: { no, project, ack }, content }) => {
    if (ack.state !== 'received') return null
    const graph = await staged.graph(no)
    const parents = new Set(graph.flatMap(({ parents: of }) => of))
    const tips = graph.map(({ id }) => id).filter((id) => !parents.has(id))
    const have = await boards.read((reads) => reads.have(project))
    // The latest waiting commands come first, so that an interrupted delivery continues after them.
    return { have: { heads: [...new Set([...tips.slice(-MAX_IDS / 2), ...have])].slice(0, MAX_IDS) }, content }
  }
}
