/** Pulls on request of the owner, and pulls from all peers. */
import { json } from '../../../../core/http/reply.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Logger } from '../../../../core/kernel/log.ts'
import { isObject } from '../../../../core/kernel/values.ts'
import type { SyncShared } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import type { PeerRegistry } from '../../registry/capabilities.ts'
import type { AcknowledgementSender } from '../acknowledgements/send.ts'
import { PeerRefusal } from '../asking/peer-refusal.ts'
import { createPull, type PullParts } from './pull.ts'

/** What the pulls need. */
export interface PullPeersParts extends PullParts {
  readonly registry: Pick<PeerRegistry, 'find' | 'list'>
  readonly shared: Pick<SyncShared, 'sha256' | 'admitJson'>
  readonly sender: Pick<AcknowledgementSender, 'wake'>
  readonly log: Logger
}

/** The pulls of a node. */
export interface PullPeers {
  /** `POST …/pull` of the local surface. */
  readonly pull: Handler
  /** Pulls every project of every peer that can be called. Ends early once `stopped` returns true. */
  pullAll(stopped: () => boolean): Promise<void>
}

/** Creates the pulls. A pull may bring what a waiting push lacked, so each wakes the waiting pushes of its project. */
export function createPullPeers(parts: PullPeersParts): PullPeers {
  const { registry, asking, boards, shared, sender, log } = parts
  const pull = createPull(parts)
  return {
    async pull(request) {
      const body = shared.admitJson(await request.body())
      const project = isObject(body) && Object.keys(body).length === 1 ? body['project'] : undefined
      if (typeof project !== 'string') throw fail('malformed_request')
      const name = request.params['peer']
      const entry = name === undefined ? undefined : await registry.find(name).catch(() => undefined)
      if (entry === undefined) throw fail('peer_not_found')
      if (!(await boards.exists(project))) throw fail('scope_not_found')
      try {
        const pulled = await pull(entry, project)
        sender.wake(project)
        return json(200, pulled)
      } catch (error) {
        if (!(error instanceof PeerRefusal)) throw error
        throw fail('peer_delivery_failed', { message: error.message, details: { peerCode: error.code } })
      }
    },
    async pullAll(stopped) {
      for (const entry of await registry.list()) {
        for (const project of entry.projects) {
          if (stopped()) return
          if (!asking.reaches(entry) || !(await boards.exists(project))) continue
          const pulled = await pull(entry, project).catch((error: unknown) =>
            log.info('A peer was not asked.', { peer: entry.endpointId, project, error }),
          )
          if (pulled) sender.wake(project)
        }
      }
    },
  }
}
