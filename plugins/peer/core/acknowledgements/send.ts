/**
 * Sends final acknowledgements that are not the response to a request: a pull or another push may bring what a waiting
 * push lacked, and a peer may disconnect before its response is ready. Each is sent once, because the peer repeats its
 * push in any case.
 */
import type { Acknowledgement } from '../../../sync/api.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { paths } from '../paths.ts'
import type { Advance } from '../receiving/advance.ts'

/** What the sender of acknowledgements needs. */
export interface SenderParts {
  readonly peerStore: PeerStore
  readonly asking: Asking
  readonly advance: Advance
  /** Resolves once the responses of this turn of the event loop are written. */
  readonly later: () => Promise<void>
  /** Called with the error if an acknowledgement was not accepted, or a push could not be read or applied. */
  readonly failed: (peer: string, error: unknown) => void
}

/** Sends final acknowledgements. */
export interface AcknowledgementSender {
  /** Sends an acknowledgement to the peer that sent the push. Never throws. */
  send(peer: string, ack: Acknowledgement): void
  /** Retries the waiting pushes of a project, and sends the final acknowledgements of those that end. */
  wake(project: string): void
  /** Resolves once no acknowledgement is being sent. */
  idle(): Promise<void>
}

/** Creates the sender of acknowledgements. */
export function createAcknowledgementSender({
  peerStore: { registry, inbox },
  asking,
  advance,
  later,
  failed,
}: SenderParts): AcknowledgementSender {
  const running = new Set<Promise<void>>()
  const begin = (work: Promise<void>): void => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  const send = async (peer: string, ack: Acknowledgement): Promise<void> => {
    try {
      const entry = await registry.entry(peer)
      // A peer without an address repeats its push by itself.
      if (entry === undefined || !asking.reaches(entry)) return
      await asking.ask(entry, { method: 'POST', path: paths.acks, body: { acks: [ack] } })
    } catch (error) {
      failed(peer, error)
    }
  }
  const retry = async (waiting: Inboxed): Promise<void> => {
    try {
      const push = await inbox.kept(waiting)
      if (push === undefined) return
      const { inboxed } = await advance.advance(push, waiting, { commands: [] })
      if (inboxed.ack.state !== 'received') await send(inboxed.peer, inboxed.ack)
    } catch (error) {
      failed(waiting.peer, error)
    }
  }
  const wake = async (project: string): Promise<void> => {
    try {
      await later()
      for (const waiting of await inbox.waiting(project)) await retry(waiting)
    } catch (error) {
      failed('', error)
    }
  }
  return {
    send: (peer, ack) => begin(send(peer, ack)),
    wake: (project) => begin(wake(project)),
    async idle() {
      await Promise.all(running)
    },
  }
}
