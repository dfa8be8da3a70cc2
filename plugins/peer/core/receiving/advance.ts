/**
 * How a push of a peer gets on: its commands wait, unshown, until all that it pinned is here, then they are taken together.
 * So its signer vouches for what lies below the pinned frontier, and for nothing else.
 */
import { isSvcError, type SvcError } from '../../../../core/errors.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { IncomingPush } from '../../../sync/capabilities.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import { admitAll, type Proven, proveAll, type ReadCommand } from '../proving/prove-commands.ts'
import { MAX_IDS } from '../wire/bodies.ts'
import { belowHeads, judge, toNode } from './check-parents.ts'

/** What a push still needs. */
export interface Need {
  readonly have: { readonly heads: readonly string[] }
  /** Hashes of texts. */
  readonly content: readonly string[]
}

/** How far a push has come. */
export interface Advanced {
  readonly inboxed: Inboxed
  /** Whether the push had its final acknowledgement before, so that the commands were neither judged nor kept. */
  readonly wasFinished?: boolean
  /** Hashes of texts that are still to come, where nothing else is. */
  readonly content: readonly string[]
}

/** Brings pushes of peers on. */
export interface Advance {
  /**
   * Takes commands for a push. Throws with `index` and `commandId` where one is bad; what is forged, or belongs to another
   * project, ends the push.
   */
  advance(push: IncomingPush, inboxed: Inboxed, commands: Proven): Promise<Advanced>
  /** What a push still needs; null once it has its final acknowledgement. */
  needOf(advanced: Advanced): Promise<Need | null>
}

/** Texts that are asked for at once. */
const MAX_CONTENT = 1_000
/** Commands of one slice, and bytes of proven ones that are remembered until they are taken. */
const SLICE = 256
const MAX_PROVEN_BYTES = 33_554_432
/** Refusals that are functions of the command alone: sending it again is of no use. */
const FINAL: ReadonlySet<string> = new Set(['signature_invalid', 'project_mismatch', 'command_invalid'])

/** Makes it. */
export function createAdvance(boards: Boards, { inbox, staged }: PeerStore): Advance {
  const proven = new Map<string, ReadCommand>()
  let provenBytes = 0
  const lines = new Map<number, Promise<unknown>>()

  const remember = (commands: readonly ReadCommand[]): void => {
    for (const command of commands) {
      if (provenBytes > MAX_PROVEN_BYTES) forget([...proven.keys()])
      if (!proven.has(command.id)) provenBytes += command.text.length
      proven.set(command.id, command)
    }
  }
  const forget = (ids: readonly string[]): void => {
    for (const id of ids) {
      provenBytes -= proven.get(id)?.text.length ?? 0
      proven.delete(id)
    }
  }

  /** Everything of the push that is to be taken, parents first: what lies below its pinned heads and is not here. */
  const toTake = async ({ no, heads }: Inboxed, fresh: readonly ReadCommand[]): Promise<readonly string[]> => {
    const graph = [...(await staged.graph(no)), ...fresh.map(toNode)]
    const below = belowHeads(graph, heads ?? [])
    return [...new Set(graph.map(({ id }) => id))].filter((id) => below.has(id))
  }

  const take = async (inboxed: Inboxed, ids: readonly string[], fresh: readonly ReadCommand[]): Promise<void> => {
    const given = new Map(fresh.map((command) => [command.id, command]))
    const { no, project, signerKeyId } = inboxed
    for (let at = 0; at < ids.length; at += SLICE) {
      const slice = ids.slice(at, at + SLICE)
      const found = new Map<string, ReadCommand>()
      for (const id of slice) {
        const hot = given.get(id) ?? proven.get(id)
        if (hot !== undefined) found.set(id, hot)
      }
      const cold = await staged.texts(
        no,
        slice.filter((id) => !found.has(id)),
      )
      const again = await proveAll(
        boards,
        project,
        cold.map((text) => JSON.parse(text) as unknown),
      )
      if (again.bad !== undefined) throw again.bad
      for (const command of again.commands) found.set(command.id, command)
      const commands = slice.map((id) => found.get(id)!)
      await admitAll(boards, project, commands, { heads: slice, signerKeyId })
      forget(slice)
    }
  }

  const needOf = async ({ inboxed: { no, project, ack }, content }: Advanced): Promise<Need | null> => {
    if (ack.state !== 'received') return null
    const graph = await staged.graph(no)
    const parents = new Set(graph.flatMap(({ parents: of }) => of))
    const tips = graph.map(({ id }) => id).filter((id) => !parents.has(id))
    const have = await boards.read((reads) => reads.have(project))
    // The latest of what waits, so that a delivery that broke off goes on where it was.
    return { have: { heads: [...new Set([...tips.slice(-MAX_IDS / 2), ...have])].slice(0, MAX_IDS) }, content }
  }

  const step = async (push: IncomingPush, inboxed: Inboxed, proven: Proven): Promise<Advanced> => {
    const { no, project, peer, heads } = inboxed
    if (inboxed.ack.state !== 'received') return { inboxed, wasFinished: true, content: [] }
    const { fresh, bad } = await judge(boards, staged, inboxed, proven)
    const reject = async (error: unknown): Promise<Advanced> => {
      const { code, message } = error as SvcError
      return { inboxed: await inbox.reject(inboxed, { code, message, retryable: false }), content: [] }
    }
    if (isFinal(bad)) return reject(bad)
    const ids = new Set(fresh.map(({ id }) => id))
    const waiting = await staged.known(no, heads ?? [])
    const toCome = (heads ?? []).filter((id) => !ids.has(id) && !waiting.has(id))
    if ((await boards.read((reads) => reads.known(project, toCome).size)) < toCome.length) {
      if (fresh.length > 0) {
        await staged.add(
          no,
          peer,
          fresh.map((command) => ({ ...toNode(command), text: command.text })),
        )
        remember(fresh)
      }
      if (bad !== undefined) throw bad
      return { inboxed, content: [] }
    }
    try {
      await take(inboxed, await toTake(inboxed, fresh), fresh)
    } catch (error) {
      if (isFinal(error)) return reject(error)
      // Nobody vouches. If the signer may not push any more, the push is rejected; otherwise enrolment may follow.
      if (!isSvcError(error, 'signer_unknown')) throw error
      const now = await inbox.review(inboxed)
      if (now.ack.state === 'received') throw error
      return { inboxed: now, content: [] }
    }
    if (!push.family.takesFrontier) {
      const content = await boards.read((reads) => reads.wantedContent(project, MAX_CONTENT, heads ?? []))
      if (content.length > 0) return { inboxed, content }
    }
    return { inboxed: await inbox.apply(push, inboxed), content: [] }
  }

  return {
    needOf,
    async advance(push, inboxed, commands) {
      // One after the other: the same push may come over several connections.
      const before = lines.get(inboxed.no)
      const work = (before ?? Promise.resolve())
        .catch(() => undefined)
        .then(async () => {
          const now = before === undefined ? inboxed : await inbox.reload(inboxed)
          return step(push, now, commands)
        })
      lines.set(inboxed.no, work)
      try {
        return await work
      } finally {
        if (lines.get(inboxed.no) === work) lines.delete(inboxed.no)
      }
    },
  }
}

function isFinal(error: unknown): boolean {
  return isSvcError(error) && FINAL.has(error.code)
}
