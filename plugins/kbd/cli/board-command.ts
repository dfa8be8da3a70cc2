/** `svc board`: boards in a terminal, changed by signed commands. */
import { actionNamed, type Command, type CommandIo, UsageError } from '../../../core/declare/command.ts'
import { toJsonText } from '../../../core/kernel/printable.ts'
import { createActions } from './actions.ts'
import type { Choice } from './api.ts'
import { type Action, readArguments, takeNone, takeOne, takeTwo, type Values } from './board-call.ts'
import { openBoard } from './client.ts'
import { drawProject, holderOf, leftOf } from './draw.ts'
import { editActions, leaseOf, readText } from './edit-commands.ts'
import { toConflictLines, toLogLine } from './history-lines.ts'
import { readDeviceNames, withHolders } from './holder-text.ts'
import { commandsOf, exportProject, importFile } from './move-boards.ts'
import { findPeersOf } from './peers-of.ts'

const HELP = `Usage: svc board list | show [--all] | conflicts | log | export [--project <p>] [--json]
       svc board add --key <file> --board <title> [--columns <title,title,…>]
       svc board add --key <file> --column <title> [--board <board>]
       svc board add --key <file> <title> [--board <board>] [--column <column>] [--label <name> …] [--body <file>]
       svc board move --key <file> <card> <column>
       svc board edit --key <file> <card> [--title <t>] [--body <file>] [--priority <0-4>] [--assignee <name>]
       svc board edit --key <file> --board <board> --title <title>
       svc board label --key <file> <card> [--label <name> …] [--remove <name> …]
       svc board comment --key <file> <card> <text>
       svc board text <card> [--json]
       svc board claim --key <file> <card> [--minutes <n>] [--agent <name>] [--force]
       svc board renew --key <file> <card> [--minutes <n>]
       svc board release --key <file> <card>
       svc board archive | restore --key <file> <card> | --board <board>
       svc board resolve --key <file> <conflict> --choose <candidate> | --value <value>
       svc board import <file>
       svc board pull --peer <endpointId or label> [--project <p>]

Boards of a running service. A change is signed with the key of an enrolled device, as a command whose parents are what
was just read. Cards, columns and conflicts are found by the beginning of their id or title. --project may be left out
where there is one project; --socket names another socket. --board narrows what a card's name may mean to one board.
archive takes a card off its board, or a board with all that is on it out of sight; nothing is deleted, and restore
brings it back. edit takes none in the place of a text, a priority or an assignee; --body and comment take - for standard
input. text prints a card with its text and its comments. renew sets the end of a claim of this device anew.
claim --force takes a card from its holder; the device's scope must name the verb claim.force. If the scope of a device is
a list of verbs, it cannot change a card that another device holds. Every other device can, and gets the holders in the answer.
resolve settles a conflict with one of its candidates, or with another value: a title as it is, a column for a place, JSON
for the rest.
show draws as wide as the terminal, or as COLUMNS says, in colours unless NO_COLOR is set or it is no terminal.
log names behind each command the peers that are known to have it. pull fetches what a peer has and this node has not.
export prints signed commands and texts, one JSON object a line; import judges such a file as it would a peer's.`

/** Cards of a column that `show` prints without --all. */
const MAX_CARDS = 30
/** The width if the output is no terminal and COLUMNS is not set. */
const DEFAULT_WIDTH = 80

/** The command `board`. */
export const boardCommand: Command = {
  name: 'board',
  summary:
    'boards: list, show, text, add, edit, label, comment, move, claim, archive, conflicts, log, export, import …',
  help: HELP,
  async run([action, ...args], io) {
    const act = actionNamed(action, actions)
    const { values, positionals } = readArguments(args)
    const { key: keyFile, project, socket, board } = values
    await withHolders(io, values, (onHeld) => {
      const opened = createActions(openBoard(io, { keyFile, project, socket, onHeld }), board)
      return act({ board: opened, values, names: positionals, io })
    })
    return 0
  },
  gives: { BoardActions: (io) => (place) => createActions(openBoard(io, place)) },
}

const actions: Readonly<Record<string, Action>> = {
  async list({ board, values, names, io }) {
    takeNone(names)
    const answer = await board.service.get<{ projects: readonly { project: string; revision: number }[] }>(
      '/api/v1/kbd/projects',
    )
    if (values.json === true) return io.out(toJsonText(answer, 2))
    for (const { project, revision } of answer.projects) io.out(`${project}\t${revision} commands`)
  },
  async show({ board, values, names, io }) {
    takeNone(names)
    const project = await board.project()
    if (values.json === true) return io.out(toJsonText(project, 2))
    const { width, isColoured } = terminalOf(io)
    const maxCards = values.all === true ? Infinity : MAX_CARDS
    const nameOf = await readDeviceNames(io, values.socket)
    const drawing = { width, isColoured, maxCards, nowMs: Date.now(), nameOf }
    for (const line of drawProject(project, drawing)) io.out(line)
  },
  async add({ board, values, names, io }) {
    if (values.board !== undefined && names.length === 0 && values.column === undefined) {
      const columns = (values.columns ?? 'To do,Doing,Done').split(',').map((title) => title.trim())
      return io.out(await board.addBoard(values.board, columns))
    }
    if (names.length === 0 && values.column !== undefined) {
      if (values.columns !== undefined)
        throw new UsageError('--columns is for a new board, --column for an existing one')
      return io.out(await board.addColumn(values.column, values.board))
    }
    const title = takeOne(names)
    const text = values.body === undefined ? undefined : readText(values.body)
    io.out(await board.addCard({ title, column: values.column, labels: values.label, body: text }))
  },
  async move({ board, names, io }) {
    const [card, column] = takeTwo(names)
    io.out((await board.moveCard(card, column)).card.cardId)
  },
  async claim({ board, values, names, io }) {
    const card = takeOne(names)
    const wanted = { leaseMs: leaseOf(values.minutes), agent: values.agent ?? null, isForced: values.force === true }
    const { claim, nowMs } = await board.claim(card, wanted)
    if (values.json === true) io.out(toJsonText(claim, 2))
    else {
      const nameOf = await readDeviceNames(io, values.socket)
      io.out(
        `${claim.claimId}\tgeneration ${claim.generation}\t${holderOf(claim, nameOf)}, ${leftOf(claim, nowMs)} left`,
      )
    }
  },
  async release({ board, names, io }) {
    const card = takeOne(names)
    io.out((await board.release(card)).claimId)
  },
  async archive({ board, values, names, io }) {
    if (names.length > 0) return io.out(await board.archiveCard(takeOne(names)))
    if (values.board === undefined) throw new UsageError('name a card, or a board with --board')
    io.out(await board.archiveBoard(values.board))
  },
  ...editActions,
  async conflicts({ board, values, names, io }) {
    takeNone(names)
    const project = await board.project()
    if (values.json === true) return io.out(toJsonText(Object.values(project.conflicts), 2))
    const nameOf = await readDeviceNames(io, values.socket)
    for (const conflict of Object.values(project.conflicts))
      for (const line of toConflictLines(conflict, project, nameOf)) io.out(line)
  },
  async resolve({ board, values, names, io }) {
    const conflict = takeOne(names)
    io.out((await board.resolve(conflict, choiceOf(values))).entered.id)
  },
  async log({ board, values, names, io }) {
    takeNone(names)
    const now = await board.project()
    const { project } = now
    const peersOf = await findPeersOf(board.service, project)
    const nameOf = await readDeviceNames(io, values.socket)
    for await (const command of commandsOf(board.service, project)) {
      const peers = peersOf(command.id)
      if (values.json === true) io.out(toJsonText({ ...command, peers }))
      else io.out(`${toLogLine(command, now, nameOf)}${peers.length === 0 ? '' : `  → ${peers.join(', ')}`}`)
    }
  },
  async pull({ board, values, names, io }) {
    takeNone(names)
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
    takeNone(names)
    await exportProject(board.service, (await board.project()).project, io)
  },
  async import({ board, names, io }) {
    const file = takeOne(names)
    await importFile(board.service, file, io)
  },
}

/** The choice that the options name. Throws `UsageError` if they name none, or two. */
function choiceOf({ choose, value }: Values): Choice {
  if (choose !== undefined && value === undefined) return { candidate: choose }
  if (choose === undefined && value !== undefined) return { value }
  throw new UsageError('resolve takes either --choose <candidate> or --value <value>')
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

/** `svc board`. */
export const commands: readonly Command[] = [boardCommand]
