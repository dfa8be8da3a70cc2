/** The live topic `kbd`: where projects stand, for whoever follows many of them and reads a board only when it moved. */
import type { Live } from '../../realtime/api.ts'
import type { Standing } from '../api.ts'
import type { Boards } from '../capabilities.ts'

/** What a caller of the runtime surface needs to read boards. */
export const READ_SCOPE = 'kbd:read'

const TOPIC = 'kbd'

/**
 * Enrols the topic and tells its readers, those of `tenant` with the scope, of every command once it is on disk; until the
 * returned function is called. An embedded store begins with where every project stands.
 */
export function tellLive(live: Live, boards: Boards, tenant: string): () => void {
  const snapshot = async (reader: { readonly tenant: string | null }, mark: () => void) => {
    if (reader.tenant !== tenant) return []
    const names = await boards.projects()
    return boards.read((reads) => {
      // A command is on disk before it is told: what is told from here on was perhaps read already, and never missed.
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
