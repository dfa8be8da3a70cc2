/** Fetching what a peer has of a project: commands prove their authors themselves, so nobody has to push them. */
import { isSvcError } from '../../../../core/errors.ts'
import { isObject } from '../../../../core/is-object.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { SyncShared } from '../../../sync/capabilities.ts'
import type { PeerEntry } from '../../api.ts'
import { type Asking, PeerRefusal } from '../asking/ask-peer.ts'
import { proveAll, type ReadCommand } from '../proving/prove-commands.ts'
import { paths } from '../routes.ts'
import type { Faults } from '../statistics/audit-faults.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'
import { isHash, MAX_IDS } from '../wire/bodies.ts'

/** What a pull brought. */
export interface Pulled {
  /** Commands that were new. */
  readonly commands: number
  /** Texts that were new. */
  readonly content: number
  readonly frontier: { readonly heads: readonly string[] }
}

/** What a pull needs. */
export interface PullParts {
  readonly asking: Asking
  readonly boards: Boards
  readonly shared: Pick<SyncShared, 'sha256'>
  readonly statistics: PeerStatistics
  readonly faults: Pick<Faults, 'refused'>
}

/** Bytes of commands that wait for somebody who vouches for them: in memory they take some six times that. */
const MAX_WAITING_BYTES = 16_777_216
const MAX_CONTENT = 1_000
/** Refusals of commands that no honest peer gives: they follow from the command and the page alone. */
const WRONG: ReadonlySet<string> = new Set([
  'signature_invalid',
  'malformed_request',
  'canonicalization_failed',
  'command_invalid',
  'frontier_unknown',
])
/** Commands of one pull: as many as a project may have. */
const MAX_GIVEN = 1_000_000

/** Makes the pulls of a node. */
export function createPull({
  asking,
  boards,
  shared,
  statistics,
  faults,
}: PullParts): (entry: PeerEntry, project: string) => Promise<Pulled> {
  const pullCommands = async (entry: PeerEntry, project: string): Promise<number> => {
    let waiting: ReadCommand[] = []
    let bytes = 0
    let taken = 0
    let after: string | undefined
    const given = new Set<string>()
    for (;;) {
      const have = (await boards.read((reads) => reads.have(project))).slice(0, MAX_IDS - 1)
      const known = after === undefined ? have : [after, ...have.filter((id) => id !== after)]
      const query = `have=${known.join()}${after === undefined ? '' : `&after=${after}`}`
      const answer = await asking.ask(entry, {
        method: 'GET',
        waits: true,
        path: `${paths.project(project)}/commands?${query}`,
      })
      const { commands, frontier, more } = readPage(answer)
      const before = given.size
      const proven = await proveAll(boards, project, commands)
      if (isSvcError(proven.bad, 'project_mismatch')) throw bad('The peer gave commands of another project.')
      if (proven.bad !== undefined) throw proven.bad
      for (const command of proven.commands) {
        given.add(command.id)
        bytes += command.text.length
        waiting.push(command)
        after = command.id
      }
      if (bytes > MAX_WAITING_BYTES) throw bad('The peer gives more than can wait for somebody who vouches for it.')
      try {
        const { added, refusal } = await boards.engine.admit(project, waiting)
        if (refusal !== undefined) throw refusal.error
        taken += added
        waiting = []
        bytes = 0
      } catch (error) {
        // Later commands may be of somebody who vouches for these.
        if (!isSvcError(error, 'signer_unknown') || !more) throw error
      }
      if (!more) {
        statistics.learn(entry.endpointId, project, frontier)
        return taken
      }
      if (given.size === before || given.size > MAX_GIVEN)
        throw bad('The peer says that there is more, and gives nothing new.')
    }
  }

  const pullContent = async (entry: PeerEntry, project: string): Promise<number> => {
    const wanted = await boards.read((reads) => reads.wantedContent(project, MAX_CONTENT))
    let taken = 0
    for (const hash of wanted) {
      try {
        const bytes = await asking.fetch(entry, {
          method: 'GET',
          waits: true,
          path: `${paths.project(project)}/content/${hash}`,
        })
        if (shared.sha256(bytes) !== hash) throw bad('The peer gave another text than the one that was asked for.')
        if (await boards.putContent(hash, bytes, { projects: [project] })) taken++
      } catch (error) {
        // It may be redacted there, or not have come there yet.
        if (!(error instanceof PeerRefusal) || error.code !== 'content_not_found') throw error
      }
    }
    return taken
  }

  return async (entry, project) => {
    try {
      const commands = await pullCommands(entry, project)
      const content = await pullContent(entry, project)
      const { frontier } = await boards.read((reads) => reads.standing(project))
      return { commands, content, frontier }
    } catch (error) {
      // Refusals of this node go to the audit chain. Refusals of the peer are in its statistics already.
      const { code, message } = error as { readonly code?: unknown; readonly message: string }
      if (code === 'bad_answer' || (isSvcError(error) && WRONG.has(error.code)))
        statistics.failed(entry.endpointId, 'bad_answer', message)
      await faults.refused(entry.endpointId, project, error)
      throw error
    }
  }
}

function readPage(value: unknown): {
  readonly commands: readonly unknown[]
  readonly frontier: readonly string[]
  readonly more: boolean
} {
  if (
    isObject(value) &&
    Array.isArray(value['commands']) &&
    isObject(value['frontier']) &&
    typeof value['more'] === 'boolean'
  ) {
    const { heads } = value['frontier']
    if (Array.isArray(heads) && heads.length <= MAX_IDS && heads.every(isHash))
      return { commands: value['commands'], frontier: heads, more: value['more'] }
  }
  throw bad('The commands of the peer are not of the right form.')
}

function bad(message: string): PeerRefusal {
  return new PeerRefusal('bad_answer', message)
}
