/**
 * The live topic `kbd`: the standing of each project, for readers that follow many projects and read only those that
 * change.
 */
import type { Live } from '../../realtime/live/api.ts'
import type { Standing } from '../api.ts'
import type { Boards } from '../capabilities.ts'

/** The scope that a caller of the runtime surface needs to read boards. */
export const READ_SCOPE = 'kbd:read'

const TOPIC = 'kbd'

/**
 * Registers the topic. Its readers of `tenant` with the scope get an event for every command that is on disk, until the
 * returned function is called. An embedded store that follows the topic begins with the standing of every project.
 */
export function publishLive(live: Live, boards: Boards, tenant: string): () => void {
  const snapshot = async (reader: { readonly tenant: string | null }, mark: () => void) => {
    if (reader.tenant !== tenant) return []
    const names = await boards.projects()
    return boards.read((reads) => {
      // A command is on disk before its event. The read may contain commands whose events follow, and no command is
      // missed.
      mark()
      return names.map((project) => ({ identifier: project, data: toData(project, reads.standing(project)) }))
    })
  }
  live.enroll(TOPIC, snapshot, { scope: READ_SCOPE, local: true })
  return boards.watch((applied) => {
    if (!live.hears(tenant)) return
    const { project } = applied
    live.publish({ tenant }, { topic: TOPIC, identifier: project, operation: 'update', data: toData(project, applied) })
  })
}

function toData(project: string, { revision, frontier }: Standing) {
  return { project, revision, frontier }
}
