/** `svc board`: boards in a terminal, changed by signed commands. */
import { randomUUID } from 'node:crypto'
import type { Command, CommandIo } from '../../../core/command.ts'
import type { Card, Claim, Conflict, ListedCommand, Project } from '../../kbd/api.ts'
import { command, readOptions, UsageError } from '../api/commands/arguments.ts'
import { shown } from '../api/commands/shown.ts'
import type { DeviceKey } from '../sign/index.ts'
import { type BoardClient, createClient, openDeviceKey } from './client.ts'
import { drawProject, holderOf, leftOf } from './draw.ts'
import { cardsOf, columnsOf, findCard, findColumn, findOne } from './find.ts'
import { exportProject, importFile } from './move-boards.ts'
import { rankAfter } from './rank.ts'

const HELP = `Usage: svc board list | show | conflicts | log | export [--project <p>] [--json]
       svc board add --key <file> --board <title> [--columns <title,title,…>]
       svc board add --key <file> <title> [--column <column>] [--label <name> …]
       svc board move --key <file> <card> <column>
       svc board claim --key <file> <card> [--minutes <n>] [--agent <name>]
       svc board release --key <file> <card>
       svc board resolve --key <file> <conflict> --choose <candidate>
       svc board import <file>

Boards of a running service. A change is signed with the key of an enrolled device, as a command whose parents are what
was just read. Cards, columns and conflicts are found by the beginning of their id or title. --project may be left out
where there is one project; --socket names another socket.
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
  choose: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof OPTIONS>>['values']

/** What an action works with. */
interface Call {
  readonly client: BoardClient
  readonly values: Values
  readonly names: readonly string[]
  readonly io: CommandIo
  /** The key of `--key`. */
  readonly key: () => DeviceKey
}

/** The command `board`. */
export const boardCommand: Command = command({
  name: 'board',
  summary: 'boards: list, show, add, move, claim, release, conflicts, resolve, log, export, import',
  help: HELP,
  async run([action, ...args], io) {
    const act = action === undefined || !Object.hasOwn(actions, action) ? undefined : actions[action]
    if (act === undefined) throw new UsageError('what to do? list, show, add, move, claim, release, conflicts, …')
    const { values, positionals } = readOptions(args, OPTIONS)
    const key = (): DeviceKey => {
      if (values.key === undefined) throw new UsageError('--key is missing')
      return openDeviceKey(values.key)
    }
    await act({ client: createClient(io, values.socket), values, names: positionals, io, key })
    return 0
  },
})

const actions: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  async list({ client, values, names, io }) {
    take(names, 0)
    const answer = await client.get<{ projects: readonly { project: string; revision: number }[] }>(
      '/api/v1/kbd/projects',
    )
    if (values.json === true) return io.out(JSON.stringify(answer, null, 2))
    for (const { project, revision } of answer.projects) io.out(`${project}\t${revision} commands`)
  },
  async show({ client, values, names, io }) {
    take(names, 0)
    const project = await client.project(values.project)
    if (values.json === true) return io.out(JSON.stringify(project, null, 2))
    for (const line of drawProject(project, process.stdout.columns ?? 100, Date.now())) io.out(line)
  },
  async add(call) {
    return call.values.board === undefined ? addCard(call) : addBoard(call, call.values.board)
  },
  async move({ client, values, names, io, key }) {
    const [name, column] = take(names, 2)
    let moved: Card | undefined
    await client.enter(key(), values.project, (project) => {
      moved = findCard(project, name!)
      const { columnId, boardId } = findColumn(project, column!, moved.place?.boardId)
      return { type: 'card.move', cardId: moved.cardId, boardId: boardId!, columnId, rank: endOf(project, columnId) }
    })
    io.out(moved!.cardId)
  },
  async claim({ client, values, names, io, key }) {
    const [name] = take(names, 1)
    const minutes = values.minutes ?? '15'
    if (!/^[1-9]\d{0,3}$/.test(minutes)) throw new UsageError('--minutes takes a number from 1 to 1440')
    const claimId = randomUUID()
    const { project } = await client.project(values.project)
    await client.enter(key(), project, (now) => ({
      type: 'claim.acquire',
      claimId,
      cardId: findCard(now, name!).cardId,
      agent: values.agent ?? null,
      leaseMs: Number(minutes) * 60_000,
    }))
    const { claims, nowMs } = await client.get<{ claims: readonly Claim[]; nowMs: number }>(
      `/api/v1/kbd/projects/${project}/claims?state=all`,
    )
    const claim = claims.find((one) => one.claimId === claimId)!
    if (values.json === true) io.out(JSON.stringify(claim, null, 2))
    else io.out(`${claim.claimId}\tgeneration ${claim.generation}\t${holderOf(claim)}, ${leftOf(claim, nowMs)} left`)
  },
  async release({ client, values, names, io, key }) {
    const [name] = take(names, 1)
    const device = key()
    let claimId = ''
    await client.enter(device, values.project, (project) => {
      const card = findCard(project, name!)
      const claim = card.claim === null ? undefined : project.claims[card.claim]
      if (claim?.deviceId !== device.keyId) throw new Error('This device does not hold the card.')
      claimId = claim.claimId
      return { type: 'claim.release', claimId, cardId: card.cardId }
    })
    io.out(claimId)
  },
  async conflicts({ client, values, names, io }) {
    take(names, 0)
    const { conflicts } = await client.project(values.project)
    if (values.json === true) return io.out(JSON.stringify(Object.values(conflicts), null, 2))
    for (const { conflictId, kind, register, candidates, shown: winner } of Object.values(conflicts)) {
      io.out(`${conflictId.slice(0, 12)}\t${kind}\t${shown(register)}`)
      for (const { id, value, deviceId } of candidates)
        io.out(
          `  ${id === winner ? '*' : ' '} ${id.slice(0, 12)}  ${deviceId.slice(0, 16)}  ${shown(JSON.stringify(value))}`,
        )
    }
  },
  async resolve({ client, values, names, io, key }) {
    const [name] = take(names, 1)
    const { choose } = values
    if (choose === undefined) throw new UsageError('--choose names a candidate')
    const { id } = await client.enter(key(), values.project, ({ conflicts }) => {
      const all = Object.values(conflicts)
      const found: Conflict = findOne('conflict', name!, all, ({ conflictId, register }) => [conflictId, register])
      const chosen = findOne('candidate', choose, found.candidates, (one) => [one.id, null])
      return {
        type: 'conflict.resolve',
        conflictId: found.conflictId,
        register: found.register,
        candidates: found.candidates.map((one) => one.id).sort(),
        choose: { id: chosen.id },
      }
    })
    io.out(id)
  },
  async log({ client, values, names, io }) {
    take(names, 0)
    const { project } = await client.project(values.project)
    for (let after = ''; ; ) {
      const path = `/api/v1/kbd/projects/${project}/commands?limit=1000${after}`
      const page = await client.get<{ commands: readonly ListedCommand[]; next: string | null }>(path)
      for (const one of page.commands) io.out(values.json === true ? JSON.stringify(one) : toLine(one))
      if (page.next === null) return
      after = `&after=${page.next}`
    }
  },
  async export({ client, values, names, io }) {
    take(names, 0)
    await exportProject(client, (await client.project(values.project)).project, io)
  },
  async import({ client, names, io }) {
    const [file] = take(names, 1)
    await importFile(client, file!, io)
  },
}

async function addBoard({ client, values, names, io, key }: Call, title: string): Promise<void> {
  take(names, 0)
  const device = key()
  const boardId = randomUUID()
  const { project } = await client.project(values.project)
  await client.enter(device, project, () => ({ type: 'board.create', boardId, title }))
  let rank: string | undefined
  for (const name of (values.columns ?? 'To do,Doing,Done').split(',')) {
    const columnId = randomUUID()
    const next = (rank = rankAfter(rank))
    await client.enter(device, project, () => ({
      type: 'column.create',
      columnId,
      boardId,
      title: name.trim(),
      rank: next,
    }))
  }
  io.out(boardId)
}

async function addCard({ client, values, names, io, key }: Call): Promise<void> {
  const [title] = take(names, 1)
  const device = key()
  const cardId = randomUUID()
  const { project } = await client.project(values.project)
  await client.enter(device, project, (now) => {
    const column = values.column === undefined ? columnsOf(now)[0] : findColumn(now, values.column)
    if (column === undefined) throw new Error('There is no column yet: svc board add --board <title>')
    const { columnId, boardId } = column
    return { type: 'card.create', cardId, boardId: boardId!, columnId, rank: endOf(now, columnId), title: title! }
  })
  for (const name of values.label ?? [])
    await client.enter(device, project, () => ({ type: 'label.add', cardId, name }))
  io.out(cardId)
}

function endOf(project: Project, columnId: string): string {
  return rankAfter(cardsOf(project, columnId).at(-1)?.place?.rank)
}

/** The names that an action needs. Throws `UsageError` where there are more or fewer. */
function take(names: readonly string[], count: number): readonly string[] {
  if (names.length !== count) throw new UsageError(count === 0 ? 'it takes no name' : `it takes ${count} of them`)
  return names
}

function toLine({ id, envelope: { issuedAtMs, signerKeyId, command } }: ListedCommand): string {
  const title = 'title' in command && command.title !== undefined ? `  ${shown(command.title)}` : ''
  return `${id.slice(0, 12)}  ${new Date(issuedAtMs).toISOString()}  ${signerKeyId.slice(0, 16)}  ${command.type}${title}`
}
