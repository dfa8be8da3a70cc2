/**
 * docs/limits.md agrees with the code: settings with their defaults, codes with their statuses, and numbers without a
 * setting.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ErrorCatalogue } from '../../core/declare/errors.ts'
import type { SettingsTable } from '../../core/declare/settings.ts'
import { serverSettings } from '../../core/kernel/settings/server.ts'
import { root } from '../../scripts/build/paths.ts'
import { matrixFeatures } from '../../scripts/build/plan/locate-feature.ts'
import { planVariants } from '../../scripts/build/plan/plan-feature.ts'

const test = suite('docs/limits.md')
const HEAD = '| input | what it may cost | where it is counted | refused with | setting |'

interface Row {
  readonly family: string
  readonly input: string
  readonly cost: string
  readonly counted: string
  readonly codes: string
  readonly settings: string
}

/** The rows of the page. @throws Error for a table with other columns */
function readRows(): readonly Row[] {
  const page = readFileSync(join(root, 'docs/limits.md'), 'utf8')
  return page
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [family = ''] = part.split('\n', 1)
      const lines = part.split('\n').filter((line) => line.startsWith('|'))
      assert.is(lines[0], HEAD, family)
      return lines.slice(2).map((line) => {
        const cells = line.split('|').map((cell) => cell.trim())
        assert.is(cells.length, 7, `${family}: ${line}`)
        const [, input = '', cost = '', counted = '', codes = '', settings = ''] = cells
        return { family, input, cost, counted, codes, settings }
      })
    })
}

/** The settings of the kernel and of every feature, by name. */
async function allSettings(): Promise<SettingsTable> {
  const planned = await Promise.all(
    Object.entries(matrixFeatures).flatMap(([id, feature]) => planVariants(id, feature)),
  )
  const tables = planned.flat().map(({ plugin }) => plugin?.settings ?? {})
  return Object.assign({}, serverSettings, ...tables) as SettingsTable
}

/** The statuses of all codes, from every module that declares error codes. */
async function allCodes(): Promise<Map<string, Set<number>>> {
  const codes = new Map<string, Set<number>>()
  const files = globSync('{core,plugins}/**/*.ts', { cwd: root }).filter((file) =>
    /= defineErrors\b/.test(readFileSync(join(root, file), 'utf8')),
  )
  for (const file of files) {
    for (const value of Object.values((await import(join(root, file))) as object)) {
      if (typeof value !== 'function' || !('rows' in value)) continue
      for (const [code, { status = 500 }] of Object.entries((value as ErrorCatalogue).rows)) {
        codes.set(code, (codes.get(code) ?? new Set()).add(status))
      }
    }
  }
  return codes
}

test('every row names a code or "nothing", and a setting or "none"', () => {
  const rows = readRows()
  assert.ok(rows.length > 0)
  for (const { family, input, codes, settings } of rows) {
    assert.ok(codes === 'nothing' || /`\w+`/.test(codes), `${family}: ${input}`)
    assert.ok(settings === 'none' || /`[\w.]+` \(/.test(settings), `${family}: ${input}`)
  }
})

test('every setting that a row names exists and has the default of the row', async () => {
  const known = await allSettings()
  for (const { family, input, settings } of readRows()) {
    for (const [, name, shown] of settings.matchAll(/`([^`]+)`(?: \(([^)]*)\))?/g)) {
      const setting = known[name!]
      assert.ok(setting !== undefined, `${family}: ${input}: there is no setting ${name}`)
      assert.is(shown?.replaceAll(' ', ''), String(setting.default), `${family}: ${input}: default of ${name}`)
    }
  }
})

test('every code that a row names is in a catalogue, with the status of the row', async () => {
  const known = await allCodes()
  for (const { family, input, codes } of readRows()) {
    for (const [, status, code] of codes.matchAll(/(?:(\d{3}) )?`([^`]+)`/g)) {
      const statuses = known.get(code!)
      assert.ok(statuses !== undefined, `${family}: ${input}: there is no code ${code}`)
      if (status !== undefined) assert.ok(statuses.has(Number(status)), `${family}: ${input}: status of ${code}`)
    }
  }
})

/** The numbers of rows, each with its place in the code: the file, and the name of a constant or a member. */
const SHOWN: readonly (readonly [input: string, shown: string, file: string, name: string])[] = [
  ['a token with an unknown `kid`', 'four at once', 'plugins/auth/jwks/reading-pace.ts', 'READINGS_AT_ONCE'],
  ['a token with an unknown `kid`', 'one in 5 s', 'plugins/auth/jwks/reading-pace.ts', 'READING_INTERVAL_MS'],
  ['the key set of the issuer', '1 024 entries', 'plugins/auth/jwks/key-set.ts', 'MAX_ENTRIES'],
  ['the body of a revocation', '16 KiB', 'plugins/auth/revocations/feature.ts', 'MAX_BODY_BYTES'],
  ['a list of revocations', '1 000', 'plugins/auth/revocations/requests.ts', 'MAX_PAGE'],
  ['the body of a request for a new key', '16 KiB', 'plugins/auth/api-keys/routes.ts', 'MAX_BODY_BYTES'],
  ['the body of a request for a new run', '64 KiB', 'plugins/realtime/runs/routes.ts', 'maxBytes'],
  ['a list of runs', '200 records', 'plugins/realtime/runs/pages.ts', 'MAX_PAGE'],
  ['a reader that does not read', '64 KiB', 'plugins/realtime/streams/connection.ts', 'sliceBytes'],
  ['an entity event', '512 levels', 'plugins/realtime/json-size.ts', 'MAX_DEPTH'],
  ['an event that is nested', '512 levels', 'plugins/realtime/json-size.ts', 'MAX_DEPTH'],
  ['the body with an entity event', '520 levels', 'plugins/realtime/json-size.ts', 'maxDepth'],
  ['the body with an entity event', '20 480 members', 'plugins/realtime/json-size.ts', 'maxMembers'],
  ['entity events on their way to other nodes', '16 MiB', 'plugins/cluster/nats/live-outbox.ts', 'MAX_PENDING'],
  ['a batch of events, in a cluster', '768 KiB', 'plugins/cluster/nats/settings.ts', 'MAX_BATCH_BYTES'],
  ['appends in a cluster that wait', '32 MiB', 'plugins/cluster/nats/run-writer.ts', 'MAX_PENDING'],
  ['chunk streams open in one run', '256', 'plugins/realtime/runs/order/chunk-lanes.ts', 'maxLanes'],
  ['chunk streams open in one run', '65 536', 'plugins/realtime/runs/order/entity-owners.ts', 'maxIds'],
  ['a JSON body on the runtime surface', '64 levels', 'core/http/json-body.ts', 'maxDepth'],
  ['a JSON body on the runtime surface', '10 000 members', 'core/http/json-body.ts', 'maxMembers'],
  ['a JSON body on the runtime surface', '8 KiB', 'core/http/turns.ts', 'SMALL_BYTES'],
  ['requests that wait on one connection', '128 without', 'plugins/transport/node-http/handle.ts', 'MAX_WAITING'],
  ['a stream whose client does not read', '1 MiB', 'plugins/transport/framing.ts', 'HIGH_WATER_BYTES'],
  ['a plain answer whose client does not read', '64 MiB', 'plugins/transport/unread.ts', 'MAX_UNREAD_BYTES'],
  ['a plain answer whose client does not read', '64 KiB', 'plugins/transport/unread.ts', 'COUNTED_BYTES'],
  ['a plain answer whose client does not read', '30 s', 'plugins/transport/unread.ts', 'UNREAD_MS'],
  ['the reader of standard output', '4 MiB', 'plugins/telemetry/logs/line-buffer.ts', 'DEFAULT_LIMIT'],
  ['idle and silent connections at a stop', '250 ms', 'plugins/transport/stop-listening.ts', 'HALF_HEAD_MS'],
  ['bodies that stop arriving at a stop', '1 s', 'plugins/transport/stop-listening.ts', 'STUCK_MS'],
  ['a line of `svc mcp`', '2 MiB', 'plugins/kbd/mcp/line-transport.ts', 'MAX_LINE_BYTES'],
  ['an answer of `svc mcp`', '128 Ki', 'plugins/kbd/mcp/pages.ts', 'PAGE_CHARS'],
  ['an answer of `svc mcp`', '64 Ki', 'plugins/kbd/mcp/pages.ts', 'TEXT_CHARS'],
  ['events of a call of `run_report`', '1 000', 'plugins/kbd/mcp/schemas.ts', 'MAX_EVENTS'],
  ['bodies that a user sends over the network', '64 of the', 'plugins/sync/remote/feature.ts', 'BODIES_PER_MINUTE'],
  ['bodies that a user sends over the network', '64 users', 'plugins/sync/remote/callers.ts', 'ACTING_KEY_USERS'],
  ['a use of an invitation', '1 KiB', 'plugins/sync/remote/feature.ts', 'MAX_DEVICE_BYTES'],
  ['refused uses of invitations', '2 of a user', 'plugins/sync/remote/invitations/redeem.ts', 'MAX_REFUSED'],
  ['refused uses of invitations', '3 wrong', 'plugins/sync/remote/invitations/invitations.ts', 'MAX_WRONG'],
  ['open invitations', '64', 'plugins/sync/remote/invitations/invitations.ts', 'MAX_OPEN'],
  ['the body of a push', '8 KiB', 'core/http/turns.ts', 'SMALL_BYTES'],
  ['a peer that hangs, or is away', '1 024 at once', 'plugins/sync/engine/delivery/delivery.ts', 'MAX_PARALLEL'],
  ['failed deliveries', '8 events', 'plugins/sync/engine/delivery/attempt.ts', 'MAX_TOLD'],
  ['a failure that a peer reports', '64 bytes', 'plugins/sync/engine/receipts/receipt-size.ts', 'MAX_CODE_BYTES'],
  [
    'a failure that a peer reports',
    '256 of message',
    'plugins/sync/engine/receipts/receipt-size.ts',
    'MAX_MESSAGE_BYTES',
  ],
  ['a failure that a peer reports', '256 KiB', 'plugins/sync/engine/receipts/receipt-size.ts', 'MAX_RECEIPT_BYTES'],
  ['callers without an entry, while', '8 connections', 'plugins/peer/core/pairing/strangers.ts', 'MAX_CONNECTIONS'],
  ['callers without an entry, while', '2 from one', 'plugins/peer/core/pairing/strangers.ts', 'MAX_OF_NETWORK'],
  ['callers without an entry, while', '10 a minute', 'plugins/peer/core/pairing/strangers.ts', 'MAX_IN_MINUTE'],
  ['the body that joins by a pairing code', '64 KiB', 'plugins/peer/core/routes.ts', 'PAIRING_BYTES'],
  [
    'the body that joins by a pairing code',
    '128 devices',
    'plugins/peer/core/pairing/pairing-devices.ts',
    'MAX_DEVICES',
  ],
  ['pairings that are open', '16', 'plugins/peer/registry/pairings.ts', 'MAX_OPEN'],
  ['commands in one body of a peer', '2 048', 'plugins/peer/core/receiving/request-reader.ts', 'MAX_COMMANDS'],
  ['ids of commands that a peer has', '64 of them', 'plugins/peer/core/wire/bodies.ts', 'MAX_IDS'],
  ['acknowledgements', '100 of them', 'plugins/peer/core/receiving/receive.ts', 'MAX_ACKS'],
  ['the answer of a peer', '1 MiB', 'plugins/peer/tls/link.ts', 'MAX_ANSWER_BYTES'],
  ['a pull without an end', '1 000 000 commands', 'plugins/peer/core/pulling/pull-commands.ts', 'MAX_GIVEN'],
  [
    'commands of a pull without a trusted head',
    '16 MiB',
    'plugins/peer/core/pulling/pull-commands.ts',
    'MAX_WAITING_BYTES',
  ],
  ['parents that are far behind', '8 parents', 'plugins/kbd/engine/engine.ts', 'MANY_PARENTS'],
  ['commands that a host hands', 'every 4', 'plugins/kbd/engine/embedded-boards.ts', 'PROOFS_PER_TURN'],
  ['a file of exported boards', '512 KiB', 'plugins/kbd/api/import.ts', 'MAX_LINE_BYTES'],
  ['a file of exported boards', '10 ms', 'plugins/kbd/api/import.ts', 'TURN_MS'],
  ['readings of a project', '4 ms', 'plugins/kbd/engine/reads/snapshots.ts', 'TURN_MS'],
  ['a page of commands', '1 000 commands', 'plugins/kbd/api/read-handlers.ts', 'MAX_LIST'],
  ['a page of conflicts', '1 000 conflicts', 'plugins/kbd/api/read-handlers.ts', 'MAX_LIST'],
  ['a page of conflicts', '2 MiB', 'plugins/kbd/api/read-handlers.ts', 'MAX_CONFLICT_CHARS'],
  ['a page of the audit chain', '1 000 entries', 'plugins/kbd/audit/handlers.ts', 'MAX_PAGE'],
  ['a search', 'first 8 words', 'plugins/kbd/search/search.ts', 'RANKED_WORDS'],
  ['a search', '1 024 bytes', 'plugins/kbd/search/query.ts', 'MAX_TEXT_BYTES'],
  ['readers that stall while they read', '32 MiB', 'plugins/kbd/agent-ui/feature.ts', 'MAX_HELD_BYTES'],
  ['another process that reads an old state', '64 MiB', 'plugins/sync/store-sqlite/file-store.ts', 'LOG_BOUND_BYTES'],
  ['the body of a request that the console forwards', '8 MiB', 'plugins/console/server/body.ts', 'MAX_BODY_BYTES'],
  ['the body of a request to the console itself', '64 KiB', 'plugins/console/server/body.ts', 'MAX_JSON_BYTES'],
]

const UNITS: Readonly<Record<string, number>> = { KiB: 1_024, Ki: 1_024, MiB: 1_048_576, s: 1_000, ms: 1 }

/** The number in a text, in bytes or milliseconds if the text has a unit. */
function numberOf(shown: string): number {
  if (shown.startsWith('four')) return 4
  const [, digits = '', unit = ''] = /(\d+(?: \d{3})*) ?(\w*)/.exec(shown) ?? []
  return Number(digits.replaceAll(' ', '')) * (UNITS[unit] ?? 1)
}

/** The value of a constant or a member in a file: a product of numbers. */
function numberIn(file: string, name: string): number {
  const [, found = ''] =
    new RegExp(`\\b${name}(?:: number)? ?[=:] ?([\\d_]+(?: \\* [\\d_]+)*)`).exec(
      readFileSync(join(root, file), 'utf8'),
    ) ?? []
  return found.split(' * ').reduce((product, part) => product * Number(part.replaceAll('_', '')), 1)
}

test('every listed number without a setting equals the number in the code', () => {
  const rows = readRows()
  for (const [input, shown, file, name] of SHOWN) {
    const row = rows.find((candidate) => candidate.input.startsWith(input))
    assert.ok(row !== undefined, `there is no row: ${input}`)
    assert.ok(`${row.cost} ${row.counted}`.includes(shown), `${input}: ${shown}`)
    assert.is(numberOf(shown), numberIn(file, name), `${input}: ${shown}, ${file} ${name}`)
  }
})

test('every size of a row without a setting is compared with the code', () => {
  /** Sizes that follow from other sizes, or that are the size of a table row of the store. */
  const others = ['64 MiB of events', 'in pages of 4 KiB', '64 KiB, and what', 'the receipt, 256 KiB']
  for (const { family, input, cost, counted, settings } of readRows()) {
    if (settings !== 'none') continue
    const text = others.reduce((remaining, known) => remaining.replace(known, ''), `${cost} ${counted}`)
    for (const [shown] of text.matchAll(/\d+(?: \d{3})* (?:KiB|MiB|Ki)\b/g))
      assert.ok(
        SHOWN.some(([of, known]) => input.startsWith(of) && known === shown),
        `${family}: ${input}: ${shown}`,
      )
  }
})

test.run()
