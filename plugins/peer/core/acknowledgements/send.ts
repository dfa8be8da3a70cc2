/**
 * Last words that nobody has asked for yet: a push that waited may get what it lacked by a pull or by another push, and who
 * asked may be gone when the answer is there. Such a word is sent to the peer that handed the push in, where it can be called;
 * it asks again by itself in any case, so that each is tried once.
 */
import type { Acknowledgement } from '../../../sync/api.ts'
import type { Inboxed, PeerDesk } from '../../registry/capabilities.ts'
import type { Asking } from '../asking/ask-peer.ts'
import type { Advance } from '../receiving/advance.ts'
import { paths } from '../routes.ts'

/** What telling needs. */
export interface TellParts {
  readonly desk: PeerDesk
  readonly asking: Asking
  readonly advance: Advance
  /** Resolves when the answers of this turn have left. */
  readonly later: () => Promise<void>
  /** Hears why a word was not taken, or a push could not be looked at. */
  readonly failed: (peer: string, error: unknown) => void
}

/** Sends words. */
export interface Tell {
  /** Sends a word to the peer that handed the push in; never rejects. */
  word(peer: string, ack: Acknowledgement): void
  /** Looks at the pushes that wait for something of a project, and sends the last words that come of it. */
  ripen(project: string): void
  /** Resolves once nothing is on its way. */
  idle(): Promise<void>
}

/** Makes it. */
export function createTell({ desk: { book, inbox }, asking, advance, later, failed }: TellParts): Tell {
  const onTheWay = new Set<Promise<void>>()
  const begin = (work: Promise<void>): void => {
    onTheWay.add(work)
    void work.finally(() => onTheWay.delete(work))
  }
  const send = async (peer: string, ack: Acknowledgement): Promise<void> => {
    try {
      const entry = await book.entry(peer)
      // Who cannot be called asks again by itself.
      if (entry === undefined || !asking.reaches(entry)) return
      await asking.ask(entry, { method: 'POST', path: paths.acks, body: { acks: [ack] } })
    } catch (error) {
      failed(peer, error)
    }
  }
  const look = async (waiting: Inboxed): Promise<void> => {
    try {
      const push = await inbox.kept(waiting)
      if (push === undefined) return
      const { inboxed } = await advance.advance(push, waiting, { commands: [] })
      if (inboxed.ack.state !== 'received') await send(inboxed.peer, inboxed.ack)
    } catch (error) {
      failed(waiting.peer, error)
    }
  }
  const ripen = async (project: string): Promise<void> => {
    try {
      await later()
      for (const waiting of await inbox.waiting(project)) await look(waiting)
    } catch (error) {
      failed('', error)
    }
  }
  return {
    word: (peer, ack) => begin(send(peer, ack)),
    ripen: (project) => begin(ripen(project)),
    async idle() {
      await Promise.all(onTheWay)
    },
  }
}
