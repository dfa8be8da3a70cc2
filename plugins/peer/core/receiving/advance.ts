/**
 * Advances a push of a peer. Its commands wait, not shown, until everything that it pinned is here. Then they are
 * admitted together and the push is applied.
 */
import { isSvcError, type SvcError } from '../../../../core/declare/errors.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { IncomingPush } from '../../../sync/capabilities.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import type { Proven, ReadCommand } from '../proving/prove-commands.ts'
import { MAX_IDS } from '../wire/bodies.ts'
import { createAdmitPinned, createProvenCache } from './admit-pinned.ts'
import { checkParents, toNode } from './check-parents.ts'

/** Advances pushes of peers. */
export interface Advance {
  /**
   * Adds commands to a push and applies it if it is complete. Rejects with the `index` and `commandId` of a bad
   * command. A command that is forged, or belongs to another project, ends the push instead.
   */
  advance(push: IncomingPush, inboxed: Inboxed, commands: Proven): Promise<Advanced>
  readonly needOf: NeedOf
}

/** Most texts of one request. */
const MAX_CONTENT = 1_000
/** Refusals that depend on the command alone: sending the command again cannot succeed. */
const FINAL: ReadonlySet<string> = new Set(['signature_invalid', 'project_mismatch', 'command_invalid'])

/** Creates an {@link Advance}. */
export function createAdvance(boards: Boards, { inbox, staged }: PeerStore): Advance {
  const cache = createProvenCache()
  const admitPinned = createAdmitPinned(boards, staged, cache)
  const inTurn = createPushQueue()

  const reject = async (inboxed: Inboxed, { code, message }: SvcError): Promise<Advanced> => ({
    inboxed: await inbox.reject(inboxed, { code, message, retryable: false }),
    content: [],
  })

  /** Whether a pinned head is neither here, nor waiting, nor among the fresh commands. */
  const lacksHead = async ({ no, project, heads }: Inboxed, fresh: readonly ReadCommand[]): Promise<boolean> => {
    const ids = new Set(fresh.map(({ id }) => id))
    const waiting = await staged.known(no, heads ?? [])
    const toCome = (heads ?? []).filter((id) => !ids.has(id) && !waiting.has(id))
    return (await boards.read((reads) => reads.known(project, toCome).size)) < toCome.length
  }

  const stage = async ({ no, peer }: Inboxed, fresh: readonly ReadCommand[]): Promise<void> => {
    if (fresh.length === 0) return
    const commands = fresh.map((command) => ({ ...toNode(command), text: command.text }))
    await staged.add(no, peer, commands)
    cache.add(fresh)
  }

  const step = async (push: IncomingPush, inboxed: Inboxed, proven: Proven): Promise<Advanced> => {
    if (inboxed.ack.state !== 'received') return { inboxed, wasFinished: true, content: [] }
    const { fresh, bad } = await checkParents(boards, staged, inboxed, proven)
    if (isFinal(bad)) return reject(inboxed, bad)
    if (await lacksHead(inboxed, fresh)) {
      await stage(inboxed, fresh)
      if (bad !== undefined) throw bad
      return { inboxed, content: [] }
    }
    try {
      await admitPinned(inboxed, fresh)
    } catch (error) {
      if (isFinal(error)) return reject(inboxed, error)
      // No device vouches for a command. The push is rejected if its signer may no longer push. Otherwise a device may
      // be enrolled later.
      if (!isSvcError(error, 'signer_unknown')) throw error
      const reviewed = await inbox.review(inboxed)
      if (reviewed.ack.state === 'received') throw error
      return { inboxed: reviewed, content: [] }
    }
    if (!push.family.takesFrontier) {
      const { project, heads } = inboxed
      const content = await boards.read((reads) => reads.wantedContent(project, MAX_CONTENT, heads ?? []))
      if (content.length > 0) return { inboxed, content }
    }
    return { inboxed: await inbox.apply(push, inboxed), content: [] }
  }

  return {
    needOf: createNeedOf(boards, staged),
    advance: (push, inboxed, commands) =>
      inTurn(inboxed.no, async (isFirst) => step(push, isFirst ? inboxed : await inbox.again(inboxed), commands)),
  }
}

function isFinal(error: unknown): error is SvcError {
  return isSvcError(error) && FINAL.has(error.code)
}

/** What a push still needs: the commands that are not in the past of `have`, and some texts. */
interface MissingAnswer {
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
type NeedOf = (advanced: Advanced) => Promise<MissingAnswer | null>

/** Creates a {@link NeedOf}. */
function createNeedOf(boards: Boards, staged: PeerStore['staged']): NeedOf {
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

/** Runs `work` once all earlier work on the push of this number has ended. `isFirst` is true if there was none. */
type PushQueue = <T>(no: number, work: (isFirst: boolean) => Promise<T>) => Promise<T>

/** Creates a queue. Work on different pushes runs at the same time. */
function createPushQueue(): PushQueue {
  const last = new Map<number, Promise<unknown>>()
  return async (no, work) => {
    const before = last.get(no)
    const running = (before ?? Promise.resolve()).catch(() => undefined).then(() => work(before === undefined))
    last.set(no, running)
    try {
      return await running
    } finally {
      if (last.get(no) === running) last.delete(no)
    }
  }
}
