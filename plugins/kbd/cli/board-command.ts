/** `svc board`: boards in a terminal, changed by signed commands. */
import { parseArgs } from 'node:util'
import { actionNamed, type Command, type CommandIo, UsageError } from '../../../core/command.ts'
import { toJsonText } from '../../../core/printable.ts'
import { createActions } from './actions.ts'
import type { BoardActions } from './api.ts'
import { openBoard } from './client.ts'
import { readDeviceNames } from './device-names.ts'
import { drawProject, holderOf, leftOf } from './draw.ts'
import { toHeldClaim } from './held-claim.ts'
import { toConflictLines, toLogLine } from './history-lines.ts'
import { commandsOf, exportProject, importFile } from './move-boards.ts'
import { findPeersOf } from './peers-of.ts'

const HELP = `Usage: svc board list | show [--all] | conflicts | log | export [--project <p>] [--json]
       svc board add --key <file> --board <title> [--columns <title,title,…>]
       svc board add --key <file> <title> [--board <board>] [--column <column>] [--label <name> …]
       svc board move --key <file> <card> <column>
       svc board claim --key <file> <card> [--minutes <n>] [--agent <name>] [--force]
       svc board release --key <file> <card>
       svc board archive --key <file> <card> | --board <board>
       svc board resolve --key <file> <conflict> --choose <candidate> | --value <value>
       svc board import <file>
       svc board pull --peer <endpointId or label> [--project <p>]

Boards of a running service. A change is signed with the key of an enrolled device, as a command whose parents are what
was just read. Cards, columns and conflicts are found by the beginning of their id or title. --project may be left out
where there is one project; --socket names another socket. --board narrows what a card's name may mean to one board.
archive takes a card off its board, or a board with all that is on it out of sight; nothing is deleted.
claim --force takes a card from whoever holds it; the device's scope must name the verb claim.force. resolve settles a
conflict with one of its candidates, or with a value of its own: a title as it is, a column for a place, JSON for the rest.
show draws as wide as the terminal, or as COLUMNS says, in colours unless NO_COLOR is set or it is no terminal.
log names behind each command the peers that are known to have it. pull fetches what a peer has and this node has not.
export prints signed commands and texts, one JSON object a line; import judges such a file as it would a peer's.`

const OPTIONS = {
  project: { type: 'string' },
  key: { type: 'string' },
  socket: { type: 'string' },
  json: { type: 'boolean' },
  board: { type: 'string' },
  columns: { type: 'string' },
  column: { type: 'string' },
  label: { type: 'string', multiple: true },
  minutes: { type: 'string' },
  agent: { type: 'string' },
  force: { type: 'boolean' },
  choose: { type: 'string' },
  peer: { type: 'string' },
  value: { type: 'string' },
  all: { type: 'boolean' },
} as const

/** Cards of a column that `show` prints without --all. */
const MAX_CARDS = 30
/** Where the output is no terminal, and COLUMNS says nothing. */
const DEFAULT_WIDTH = 80

type Values = ReturnType<typeof readArguments>['values']

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
}

/** What an action works with. */
interface Call {
  readonly board: BoardActions
  readonly values: Values
  readonly names: readonly string[]
  readonly io: CommandIo
}

/** The command `board`. */
export const boardCommand: Command = {
  name: 'board',
  summary: 'boards: list, show, add, move, claim, release, archive, conflicts, resolve, log, export, import, pull',
  help: HELP,
  async run([action, ...args], io) {
    const act = actionNamed(action, actions)
    const { values, positionals } = readArguments(args)
    const { key: keyFile, project, socket, board } = values
    const opened = createActions(openBoard(io, { keyFile, project, socket }), board)
    await act({ board: opened, values, names: positionals, io })
    return 0
  },
  gives: { BoardActions: (io) => (place) => createActions(openBoard(io, place)) },
}

type Action = (call: Call) => Promise<void>

const actions: Readonly<Record<string, Action>> = {
  async list({ board, values, names, io }) {
    take(names, 0)
    const answer = await board.service.get<{ projects: readonly { project: string; revision: number }[] }>(
      '/api/v1/kbd/projects',
    )
    if (values.json === true) return io.out(toJsonText(answer, 2))
    for (const { project, revision } of answer.projects) io.out(`${project}\t${revision} commands`)
  },
  async show({ board, values, names, io }) {
    take(names, 0)
    const project = await board.project()
    if (values.json === true) return io.out(toJsonText(project, 2))
    const { width, isColoured } = terminalOf(io)
    const maxCards = values.all === true ? Infinity : MAX_CARDS
    const nameOf = await readDeviceNames(io, values.socket)
    const drawing = { width, isColoured, maxCards, nowMs: Date.now(), nameOf }
    for (const line of drawProject(project, drawing)) io.out(line)
  },
  async add({ board, values, names, io }) {
    if (values.board !== undefined && names.length === 0) {
      const columns = (values.columns ?? 'To do,Doing,Done').split(',').map((title) => title.trim())
      return io.out(await board.addBoard(values.board, columns))
    }
    const [title] = take(names, 1)
    io.out(await board.addCard({ title: title!, column: values.column, labels: values.label }))
  },
  async move({ board, names, io }) {
    const [card, column] = take(names, 2)
    io.out((await board.moveCard(card!, column!)).card.cardId)
  },
  async claim({ board, values, names, io }) {
    const [card] = take(names, 1)
    const minutes = values.minutes ?? '15'
    if (!/^[1-9]\d{0,3}$/.test(minutes)) throw new UsageError('--minutes takes a number from 1 to 1440')
    const wish = { leaseMs: Number(minutes) * 60_000, agent: values.agent ?? null, isForced: values.force === true }
    const { claim, nowMs } = await board.claim(card!, wish).catch(async (error: unknown) => {
      const held = toHeldClaim(error, await readDeviceNames(io, values.socket))
      if (held !== undefined && values.json === true) io.out(toJsonText({ error: held.details }, 2))
      throw held ?? error
    })
    if (values.json === true) io.out(toJsonText(claim, 2))
    else {
      const nameOf = await readDeviceNames(io, values.socket)
      io.out(
        `${claim.claimId}\tgeneration ${claim.generation}\t${holderOf(claim, nameOf)}, ${leftOf(claim, nowMs)} left`,
      )
    }
  },
  async release({ board, names, io }) {
    const [card] = take(names, 1)
    io.out((await board.release(card!)).claimId)
  },
  async archive({ board, values, names, io }) {
    if (names.length > 0) return io.out(await board.archiveCard(take(names, 1)[0]!))
    if (values.board === undefined) throw new UsageError('which card? Or --board <board>')
    io.out(await board.archiveBoard(values.board))
  },
  async conflicts({ board, values, names, io }) {
    take(names, 0)
    const project = await board.project()
    if (values.json === true) return io.out(toJsonText(Object.values(project.conflicts), 2))
    const nameOf = await readDeviceNames(io, values.socket)
    for (const conflict of Object.values(project.conflicts))
      for (const line of toConflictLines(conflict, project, nameOf)) io.out(line)
  },
  async resolve({ board, values, names, io }) {
    const [conflict] = take(names, 1)
    const { choose, value } = values
    if ((choose === undefined) === (value === undefined))
      throw new UsageError('--choose names a candidate, or --value says another value')
    const choice = choose === undefined ? { value: value! } : { candidate: choose }
    io.out((await board.resolve(conflict!, choice)).entered.id)
  },
  async log({ board, values, names, io }) {
    take(names, 0)
    const now = await board.project()
    const { project } = now
    const peersOf = await findPeersOf(board.service, project)
    const nameOf = await readDeviceNames(io, values.socket)
    for await (const one of commandsOf(board.service, project)) {
      const peers = peersOf(one.id)
      if (values.json === true) io.out(toJsonText({ ...one, peers }))
      else io.out(`${toLogLine(one, now, nameOf)}${peers.length === 0 ? '' : `  → ${peers.join(', ')}`}`)
    }
  },
  async pull({ board, values, names, io }) {
    take(names, 0)
    if (values.peer === undefined) throw new UsageError('--peer is missing')
    const { project } = await board.project()
    const path = `/api/v1/peers/${encodeURIComponent(values.peer)}/pull`
    const body = JSON.stringify({ project })
    const pulled = await board.service.send<{ commands: number; content: number }>(
      'POST',
      path,
      'application/json',
      body,
    )
    if (values.json === true) io.out(toJsonText(pulled, 2))
    else io.err(`Took ${pulled.commands} new commands and ${pulled.content} new texts.`)
  },
  async export({ board, names, io }) {
    take(names, 0)
    await exportProject(board.service, (await board.project()).project, io)
  },
  async import({ board, names, io }) {
    const [file] = take(names, 1)
    await importFile(board.service, file!, io)
  },
}

/** How wide the output is, and whether it shows colours (no-color.org). */
function terminalOf({ environment }: CommandIo): { readonly width: number; readonly isColoured: boolean } {
  const { isTTY, columns } = process.stdout
  const { COLUMNS, NO_COLOR, TERM } = environment
  const wanted = /^[1-9]\d{0,3}$/.test(COLUMNS ?? '') ? Number(COLUMNS) : DEFAULT_WIDTH
  return {
    width: isTTY ? columns : wanted,
    isColoured: isTTY && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb',
  }
}

/** The names that an action needs. Throws `UsageError` where there are more or fewer. */
function take(names: readonly string[], count: number): readonly string[] {
  if (names.length !== count) throw new UsageError(count === 0 ? 'it takes no name' : `it takes ${count} of them`)
  return names
}
