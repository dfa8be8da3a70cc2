/** Fetches the commands of a project that a peer has and this node lacks, page by page. */
import { isSvcError } from '../../../../core/declare/errors.ts'
import { isObject } from '../../../../core/kernel/values.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { PeerEntry } from '../../api.ts'
import type { Asking } from '../asking/ask-peer.ts'
import { badAnswer } from '../asking/peer-refusal.ts'
import { paths } from '../paths.ts'
import { proveAll, type ReadCommand } from '../proving/prove-commands.ts'
import type { PeerStatistics } from '../statistics/peer-statistics.ts'
import { isHash, MAX_IDS } from '../wire/bodies.ts'

/** What fetching commands needs. */
export interface PullCommandsParts {
  readonly asking: Asking
  readonly boards: Boards
  readonly statistics: PeerStatistics
}

/** Most bytes of commands that no enrolled device vouches for yet. In memory they take about six times these bytes. */
const MAX_WAITING_BYTES = 16_777_216
/** Most commands of one pull: as many as a project may have. */
const MAX_GIVEN = 1_000_000

interface Page {
  readonly commands: readonly unknown[]
  readonly frontier: readonly string[]
  readonly more: boolean
}

/** Creates the pull of commands. It resolves with the number of new commands. */
export function createPullCommands({
  asking,
  boards,
  statistics,
}: PullCommandsParts): (entry: PeerEntry, project: string) => Promise<number> {
  const askPage = async (entry: PeerEntry, project: string, after: string | undefined): Promise<Page> => {
    const have = (await boards.read((reads) => reads.have(project))).slice(0, MAX_IDS - 1)
    const ids = after === undefined ? have : [after, ...have.filter((id) => id !== after)]
    const query = `have=${ids.join()}${after === undefined ? '' : `&after=${after}`}`
    const path = `${paths.project(project)}/commands?${query}`
    return readPage(await asking.ask(entry, { method: 'GET', waits: true, path }))
  }

  const prove = async (project: string, values: readonly unknown[]): Promise<readonly ReadCommand[]> => {
    const { commands, bad } = await proveAll(boards, project, values)
    if (isSvcError(bad, 'project_mismatch')) throw badAnswer('The peer gave commands of another project.')
    if (bad !== undefined) throw bad
    return commands
  }

  const admit = async (project: string, commands: readonly ReadCommand[]): Promise<number> => {
    const { added, refusal } = await boards.engine.admit(project, commands)
    if (refusal !== undefined) throw refusal.error
    return added
  }

  return async (entry, project) => {
    let waiting: ReadCommand[] = []
    let bytes = 0
    let taken = 0
    let after: string | undefined
    const receivedIds = new Set<string>()
    for (;;) {
      const { commands, frontier, more } = await askPage(entry, project, after)
      const before = receivedIds.size
      for (const command of await prove(project, commands)) {
        receivedIds.add(command.id)
        bytes += command.text.length
        waiting.push(command)
        after = command.id
      }
      if (bytes > MAX_WAITING_BYTES)
        throw badAnswer('The peer gives more than can wait for somebody who vouches for it.')
      try {
        taken += await admit(project, waiting)
        waiting = []
        bytes = 0
      } catch (error) {
        // A later page may have a command of an enrolled device that vouches for these.
        if (!isSvcError(error, 'signer_unknown') || !more) throw error
      }
      if (!more) {
        statistics.learn(entry.endpointId, project, frontier)
        return taken
      }
      if (receivedIds.size === before || receivedIds.size > MAX_GIVEN)
        throw badAnswer('The peer says that there is more, and gives nothing new.')
    }
  }
}

function readPage(value: unknown): Page {
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
  throw badAnswer('The commands of the peer are not of the right form.')
}
