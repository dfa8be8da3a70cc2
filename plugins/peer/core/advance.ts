/**
 * How a push of a peer gets on: its commands wait, unshown, until all that it pinned is here, then they are taken together.
 * So its signer vouches for what lies below the pinned frontier, and nothing else is shown on his word.
 */
import { isSvcError, SvcError } from '../../../core/errors.ts'
import type { Boards } from '../../kbd/capabilities.ts'
import type { Inboxed, IncomingPush, PeerDesk } from '../../sync/peers/capabilities.ts'
import { fail } from '../errors.ts'
import { MAX_IDS } from './wire.ts'

type ReadCommand = Awaited<ReturnType<Boards['engine']['prove']>>

/** What a push still needs. */
export interface Need {
  readonly have: { readonly heads: readonly string[] }
  /** Hashes of texts. */
  readonly content: readonly string[]
}

/** How far a push has come. */
export interface Advanced {
  readonly inboxed: Inboxed
  /** Null once there is a last word. */
  readonly need: Need | null
}

/** Brings pushes of peers on. */
export interface Advance {
  /**
   * Takes commands for a push. Throws with `index` and `commandId` where one is bad; what is forged, or belongs to another
   * project, ends the push.
   */
  advance(push: IncomingPush, inboxed: Inboxed, commands: readonly unknown[]): Promise<Advanced>
}

/** Texts that are asked for at once. */
const MAX_CONTENT = 1_000
/** Commands of one slice, and bytes of proven ones that are remembered until they are taken. */
const SLICE = 256
const MAX_PROVEN_BYTES = 33_554_432
/** Refusals that are functions of the command alone: sending it again is of no use. */
const FINAL: ReadonlySet<string> = new Set(['signature_invalid', 'project_mismatch', 'command_invalid'])

/** Makes it. */
export function createAdvance(boards: Boards, { inbox, staged }: PeerDesk): Advance {
  const proven = new Map<string, ReadCommand>()
  let provenBytes = 0
  const lines = new Map<number, Promise<unknown>>()

  const prove = async (value: unknown): Promise<ReadCommand> => boards.engine.prove(value)
  const remember = (commands: readonly ReadCommand[]): void => {
    for (const command of commands) {
      if (provenBytes > MAX_PROVEN_BYTES) forget()
      if (!proven.has(command.id)) provenBytes += command.text.length
      proven.set(command.id, command)
    }
  }
  const forget = (): void => {
    proven.clear()
    provenBytes = 0
  }

  /** Proves commands one after the other, up to the first that is bad or whose parents are missing. */
  const judge = async (
    { no, project }: Inboxed,
    values: readonly unknown[],
  ): Promise<{ readonly fresh: readonly ReadCommand[]; readonly bad?: unknown }> => {
    const fresh: ReadCommand[] = []
    const known = new Set<string>()
    for (const [index, value] of values.entries()) {
      let id = ''
      try {
        const command = await prove(value)
        ;({ id } = command)
        if (command.project !== project) throw fail('project_mismatch')
        const { heads: parents } = command.envelope.expectedFrontier
        const waiting = await staged.known(no, parents)
        const { isHere, root, missing } = await boards.read((reads) => ({
          isHere: reads.command(project, id) !== undefined,
          root: reads.root(project),
          missing: parents.find(
            (one) => !known.has(one) && !waiting.has(one) && reads.command(project, one) === undefined,
          ),
        }))
        if (parents.length === 0 && root !== null && root !== id) throw fail('project_mismatch')
        if (missing !== undefined) throw fail('frontier_unknown')
        known.add(id)
        if (!isHere) fresh.push(command)
      } catch (error) {
        return { fresh, bad: located(error, index, id) }
      }
    }
    return { fresh }
  }

  /** Everything of the push that is to be taken, parents first: what lies below its pinned heads and is not here. */
  const toTake = async ({ no, heads }: Inboxed, fresh: readonly ReadCommand[]): Promise<readonly string[]> => {
    const own = fresh.map(({ id, envelope }) => ({ id, parents: envelope.expectedFrontier.heads }))
    const all = [...(await staged.graph(no)), ...own]
    const parents = new Map(all.map(({ id, parents: of }) => [id, of]))
    const below = new Set<string>()
    const open = [...(heads ?? [])]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (below.has(id) || !parents.has(id)) continue
      below.add(id)
      open.push(...parents.get(id)!)
    }
    return [...new Set(all.map(({ id }) => id))].filter((id) => below.has(id))
  }

  const take = async (inboxed: Inboxed, ids: readonly string[], fresh: readonly ReadCommand[]): Promise<void> => {
    const given = new Map(fresh.map((command) => [command.id, command]))
    const { no, project, signerKeyId } = inboxed
    for (let at = 0; at < ids.length; at += SLICE) {
      const slice = ids.slice(at, at + SLICE)
      const cold = slice.filter((id) => !given.has(id) && !proven.has(id))
      for (const text of await staged.texts(no, cold)) remember([await prove(JSON.parse(text))])
      const commands = slice.map((id) => given.get(id) ?? proven.get(id)!)
      const { refusal } = await boards.engine.admit(project, commands, { heads: slice, signerKeyId })
      if (refusal !== undefined) throw located(refusal.error, refusal.index, refusal.commandId)
    }
  }

  const needOf = async ({ no, project }: Inboxed, content: readonly string[]): Promise<Need> => {
    const graph = await staged.graph(no)
    const parents = new Set(graph.flatMap(({ parents: of }) => of))
    const tips = graph.map(({ id }) => id).filter((id) => !parents.has(id))
    const have = await boards.read((reads) => reads.have(project))
    // The latest of what waits, so that a delivery that broke off goes on where it was.
    return { have: { heads: [...new Set([...tips.slice(-MAX_IDS / 2), ...have])].slice(0, MAX_IDS) }, content }
  }

  const step = async (push: IncomingPush, inboxed: Inboxed, values: readonly unknown[]): Promise<Advanced> => {
    const { no, project, peer, heads } = inboxed
    if (inboxed.ack.state !== 'received') return { inboxed, need: null }
    const { fresh, bad } = await judge(inboxed, values)
    const reject = async (error: unknown): Promise<Advanced> => {
      const { code, message } = error as SvcError
      return { inboxed: await inbox.reject(inboxed, { code, message, retryable: false }), need: null }
    }
    if (isFinal(bad)) return reject(bad)
    const ids = new Set(fresh.map(({ id }) => id))
    const waiting = await staged.known(no, heads ?? [])
    const reached = await boards.read((reads) =>
      (heads ?? []).every((id) => ids.has(id) || waiting.has(id) || reads.command(project, id) !== undefined),
    )
    if (!reached) {
      if (fresh.length > 0) {
        const rows = fresh.map(({ id, text, envelope }) => ({ id, text, parents: envelope.expectedFrontier.heads }))
        await staged.add(no, peer, rows)
        remember(fresh)
      }
      if (bad !== undefined) throw bad
      return { inboxed, need: await needOf(inboxed, []) }
    }
    try {
      await take(inboxed, await toTake(inboxed, fresh), fresh)
    } catch (error) {
      if (isFinal(error)) return reject(error)
      // Nobody vouches: where the signer may not push any more that is the word, else enrolment may follow.
      if (!isSvcError(error, 'signer_unknown')) throw error
      const now = await inbox.review(inboxed)
      if (now.ack.state === 'received') throw error
      return { inboxed: now, need: null }
    }
    if (!push.family.takesFrontier) {
      const content = await boards.read((reads) => reads.wantedContent(project, MAX_CONTENT, heads ?? []))
      if (content.length > 0) return { inboxed, need: await needOf(inboxed, content) }
    }
    return { inboxed: await inbox.apply(push, inboxed), need: null }
  }

  return {
    async advance(push, inboxed, commands) {
      // One after the other: the same push may come over several connections.
      const before = lines.get(inboxed.no)
      const work = (before ?? Promise.resolve())
        .catch(() => undefined)
        .then(async () => {
          const now = before === undefined ? inboxed : await inbox.again(inboxed)
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

/** A refusal that says of which command it is. */
export function located(error: unknown, index: number, commandId: string): unknown {
  if (!isSvcError(error) || error.status >= 500) return error
  const { code, status, message, hint, headers, details } = error
  const given = { details: { ...details, index, commandId }, ...(hint && { hint }), ...(headers && { headers }) }
  return new SvcError(code, { status, message }, given)
}
