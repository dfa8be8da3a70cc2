/** Sends the commands of a project that a peer lacks for a push, page by page. */
import type { TraceContext } from '../../../../core/http/request.ts'
import { isObject } from '../../../../core/kernel/values.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { DeliveredPush, Envelope } from '../../../sync/api.ts'
import type { PeerEntry } from '../../api.ts'
import type { AcceptAcknowledgement } from '../acknowledgements/accept.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { badAnswer, PeerRefusal } from '../asking/peer-refusal.ts'
import { paths } from '../paths.ts'
import { projectOf, readAck } from '../wire/bodies.ts'

/** What sending commands needs. */
export interface GiveCommandsParts {
  readonly asking: Asking
  readonly boards: Boards
  readonly accept: AcceptAcknowledgement
  /** The trace of the request that made a push. */
  readonly traceOf: (pushId: string) => TraceContext | undefined
  readonly maxBodyBytes: number
}

/** The result of sending commands. */
export interface GivenCommands {
  /** The number of commands that were sent. */
  readonly count: number
  /** Whether the peer has sent its final acknowledgement. */
  readonly over: boolean
}

/** Sends the commands that are below the `pinned` heads and not in the past of the commands in `have`. */
export type GiveCommands = (
  entry: PeerEntry,
  envelope: Envelope,
  have: readonly string[],
  pinned: readonly string[],
) => Promise<GivenCommands>

/** Bytes of a body that are not commands. */
export const HEAD_BYTES = 4_096
/** The result of a request about a push that has its final acknowledgement. */
const FINISHED = Symbol('finished')

/** Creates the sending of commands. */
export function createGiveCommands(parts: GiveCommandsParts): GiveCommands {
  const { asking, boards, accept, traceOf, maxBodyBytes } = parts

  const send = (entry: PeerEntry, { domain, pushId }: Envelope, commands: readonly unknown[]): Promise<unknown> => {
    const body = { project: projectOf(domain), pushId, commands }
    const question = { method: 'POST', path: paths.commands, body, trace: traceOf(pushId) } as const
    return asking.ask(entry, question).catch((error: unknown) => {
      // Another connection has finished the push. The push is sent again to read its acknowledgement.
      if (error instanceof PeerRefusal && error.code === 'push_finished') return FINISHED
      throw error
    })
  }

  return async (entry, envelope, have, pinned) => {
    const project = projectOf(envelope.domain)
    let after: string | undefined
    for (let count = 0; ; ) {
      const from: string | undefined = after
      const page = await boards.read((reads) => reads.missing(project, have, maxBodyBytes - HEAD_BYTES, from, pinned))
      const last = page.commands.at(-1)
      if (last === undefined) return { count, over: false }
      const commands = page.commands.map(({ envelope: command }) => command)
      const answer = await send(entry, envelope, commands)
      count += commands.length
      if (answer === FINISHED) return { count, over: false }
      after = last.id
      const { ack } = isObject(answer) ? answer : { ack: null }
      if (ack != null && (await writeAcknowledgement(accept, ack, entry.endpointId))) return { count, over: true }
      if (!page.more) return { count, over: false }
    }
  }
}

/**
 * Writes an acknowledgement. Returns whether it is final. `about` is the push, if the caller has read it already.
 * Rejects with `bad_answer` if the value is no acknowledgement, and as `accept` does.
 */
export async function writeAcknowledgement(
  accept: AcceptAcknowledgement,
  value: unknown,
  peer: string,
  about?: DeliveredPush,
): Promise<boolean> {
  const ack = readAck(value)
  if (ack === undefined) throw badAnswer('The answer of the peer has no acknowledgement of the push.')
  await accept(ack, peer, about)
  return ack.state !== 'received'
}
