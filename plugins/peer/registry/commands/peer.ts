/** `svc peer`: the owner of the data directory lists and changes the peers of this node. */
import {
  actionNamed,
  type Command,
  type CommandIo,
  CommandRefusal,
  UsageError,
} from '../../../../core/declare/command.ts'
import { printable, toJsonText } from '../../../../core/kernel/printable.ts'
import type {} from '../../../transport/unix/api.ts'
import type { PeerEntry } from '../../api.ts'
import { findWrong, type PeerParts, toSentence } from '../entry.ts'
import { createPeerRegistry, type PeerRegistry } from '../peer-registry.ts'
import { join, pair, readArguments } from './pair.ts'

const HELP = `Usage: svc peer id
       svc peer pair --project <project> … [--devices] [--label <name>] [--address <host:port> …]
       svc peer join <code or -> [--devices] [--label <name>] [--project <project> …] [--address <host:port> …]
       svc peer add <endpointId> [--address <host:port> …] [--label <name>] [--project <project> …]
       svc peer remove <endpointId or label>
       svc peer list [--json]
       svc peer rotate

Peers are other nodes that pushes go to and commands come from.
pair prints a code that lets one other node in, within ten minutes; join on that node takes the code, and both nodes enter
each other. Both services run. --label is the name of the other node here. With --devices on both sides, each node enrols the
active devices of the other for the projects of the code. join - reads the code from standard input, so that no list of
processes shows it; join --project names a project of the code that this node has already and that the other may read.
The long way: id prints the endpoint id of this node: give it to the
owner of the other one. add enters a peer; both sides enter each other. If the peer has an entry, add changes the parts
that are named and keeps the others: --project replaces the list of projects, --address the list of addresses.
--address is where the peer listens (its setting peer.listen); none, where it calls. --project is what it may read and hand in.
A running service sees all this at its next exchange. rotate makes a new key for this node, with the service stopped: its
endpoint id is another one from then on. The store is the one of storage.dir (SVC_STORAGE__DIR).`

/** The command `peer`. */
export const peerCommand: Command = {
  name: 'peer',
  summary: 'the nodes that this one speaks with: pair, join, id, add, remove, list, rotate',
  help: HELP,
  async run([action, ...args], io) {
    await actionNamed(action, actions)(args, io)
    return 0
  },
}

const actions: Readonly<Record<string, (args: readonly string[], io: CommandIo) => Promise<void>>> = {
  pair,
  join,
  async id(args, io) {
    requireNoName(args)
    io.out((await io.use('NodeKey').own()).endpointId)
  },
  async add(args, io) {
    const { values, positionals } = readArguments(args, {
      address: { type: 'string', multiple: true },
      label: { type: 'string' },
      project: { type: 'string', multiple: true },
    })
    const endpointId = onlyName(positionals)
    const { address: addresses, label } = values
    const projects = values.project && [...new Set(values.project)].sort()
    const ownId = (await io.use('NodeKey').own()).endpointId
    const wrong = findWrong(
      { endpointId, addresses: addresses ?? [], label: label ?? null, projects: projects ?? [] },
      ownId,
    )
    if (wrong !== undefined) throw new Error(toSentence(wrong))
    const parts = await withRegistry(io, (registry) => registry.change(endpointId, { addresses, label, projects }))
    io.err(`Entered ${nameOf(parts)}. There, the owner enters this node: svc peer add ${ownId}${projectsOf(parts)}`)
  },
  async remove(args, io) {
    const name = onlyName(readArguments(args, {}).positionals)
    io.err(`Removed ${nameOf(await withRegistry(io, (registry) => registry.remove(name)))}.`)
  },
  async list(args, io) {
    const { values, positionals } = readArguments(args, { json: { type: 'boolean' } })
    requireNoName(positionals)
    const entries = await withRegistry(io, (registry) => registry.list())
    if (values.json === true) io.out(toJsonText(entries, 2))
    else for (const entry of entries) io.out(toLine(entry))
  },
  async rotate(args, io) {
    requireNoName(args)
    if (await isServed(io)) throw new Error('A service runs with the present key: stop it first.')
    const before = (await io.use('NodeKey').own()).endpointId
    const key = await io.use('NodeKey').rotate()
    io.out(key.endpointId)
    io.err(`This node was ${before}. On each of its peers: svc peer remove ${before}`)
    io.err(
      `and: svc peer add ${key.endpointId} --address <host:port> --label <label> --project <project>, as they were.`,
    )
    io.err('Pushes that name the old endpoint id as a target do not arrive any more.')
  },
}

function withRegistry<T>(io: CommandIo, work: (registry: PeerRegistry) => Promise<T>): Promise<T> {
  const set = io.setting('peer.peers') as readonly PeerParts[]
  return io.use('NodeStore')((store) => work(createPeerRegistry(store, set, Date.now)))
}

async function isServed(io: CommandIo): Promise<boolean> {
  try {
    await io.use('LocalService')().get('/health')
    return true
  } catch (error) {
    return !(error instanceof CommandRefusal && error.code === 'service_away')
  }
}

function requireNoName(names: readonly string[]): void {
  if (names.length > 0) throw new UsageError('it takes no name')
}

function onlyName([name, ...more]: readonly string[]): string {
  if (name === undefined || more.length > 0) throw new UsageError('name one peer')
  return name
}

function nameOf({ endpointId, label }: PeerParts): string {
  return label ?? `${endpointId.slice(0, 12)}…`
}

function projectsOf({ projects }: PeerParts): string {
  return projects.map((project) => ` --project ${project}`).join('')
}

function toLine({ endpointId, label, addresses, projects, source }: PeerEntry): string {
  return [endpointId, printable(label ?? '-'), addresses.join(',') || '-', projects.join(',') || '-', source].join('\t')
}
