/** `svc who`: the callers of the running service and their streams, by user. */
import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../../core/declare/command.ts'
import { printable, toJsonText } from '../../../core/kernel/printable.ts'
import type {} from '../../transport/unix/api.ts'
import type { CallerRow } from './callers.ts'

const HELP = `Usage: svc who [--user <id>] [--json] [--socket <path>]

Lists who uses the runtime surface of the running service: callers with an open stream, or a request in the last 5 minutes, the
last one first. For each: user, tenant, open streams, requests since the first one that is remembered, how many of these were refused
(401, 403, 429), the time since the last one, and its address. Below, a line for each open stream: its route, address and age.
All callers without a valid credential are one row, "-". In a cluster: those of this node.`

/** The command `who`. */
const whoCommand: Command = {
  name: 'who',
  summary: 'who is connected: callers and open streams, by user',
  help: HELP,
  async run(args, io) {
    const { json, user, socket } = parseArgs({
      args: [...args],
      options: { json: { type: 'boolean' }, user: { type: 'string' }, socket: { type: 'string' } },
    }).values
    if (user === '') throw new UsageError('--user takes the id of a user')
    type Answer = { readonly now_ms: number; readonly callers: readonly CallerRow[] }
    const { now_ms: now, callers } = await io.use('LocalService')(socket).get<Answer>('/api/v1/admin/callers')
    const rows = user === undefined ? callers : callers.filter((one) => one.user === user)
    if (json === true) io.out(toJsonText(rows, 2))
    else if (rows.length === 0) io.err('Nobody has a stream, or made a request in the last 5 minutes.')
    else for (const line of linesOf(rows, now)) io.out(line)
    return 0
  },
}

function linesOf(rows: readonly CallerRow[], now: number): string[] {
  const head = ['USER', 'TENANT', 'STREAMS', 'REQUESTS', 'REFUSED', 'LAST', 'ADDRESS']
  const cells = rows.map(({ user, tenant, streams, requests, refused, last_seen_ms, address }) => [
    printable(user ?? '-'),
    printable(tenant ?? '-'),
    ...[streams.length, requests, refused].map(String),
    ageOf(now - last_seen_ms),
    address,
  ])
  const widths = head.map((_, at) => Math.max(...[head, ...cells].map((row) => row[at]?.length ?? 0)))
  const [first = '', ...lines] = [head, ...cells].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const below = rows.map(({ streams }) =>
    streams.map((one) => `  ${one.route}  ${one.address}  ${ageOf(now - one.since_ms)}`),
  )
  return [first, ...lines.flatMap((line, at) => [line, ...(below[at] ?? [])])]
}

/** A duration in the largest unit that fits: `42s`, `7m`, `3h`, `2d`. */
function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
  ] as const)
    if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`
  return `${seconds}s`
}

/** The commands of `admin.running`. */
export const commands: readonly Command[] = [whoCommand]
