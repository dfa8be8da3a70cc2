/**
 * An agent's host that sends invalid lines to `svc mcp` and requests more than it can read: neither `svc mcp` nor the
 * service grows without bound or stops.
 */
import { randomUUID } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../plugins/kbd/api.ts'
import { MAX_LINE_BYTES } from '../../plugins/kbd/mcp/line-transport.ts'
import { PAGE_CHARS } from '../../plugins/kbd/mcp/pages.ts'
import { envelopeOf } from '../e2e/kbd/caller.ts'
import { idOf } from '../e2e/peer/caller.ts'
import { sendTo } from '../e2e/sync/daemon.ts'
import { shippedProgram, startEnvironment } from '../e2e/telemetry/built-service.ts'
import { type Child, startChild } from '../support/child.ts'
import { memoryOf, resetPeak } from '../support/process-memory.ts'
import { createServer, createSigner } from '../unit/sync/platforms.ts'
import { attacksOf, beside, startTarget, type Target } from './rig.ts'
import { assertCalm } from './stranger.ts'

const test = suite('hostile: svc mcp')
const it = attacksOf(test)
const MIB = 1024 * 1024
const CARDS = 800
const boardId = randomUUID()
const columnId = randomUUID()

type Answer = { readonly id?: unknown; readonly error?: { readonly code: number }; readonly result?: unknown }

/** Imports a board with many cards. */
async function seed(target: Target): Promise<void> {
  const signer = createSigner()
  const store = createServer({ path: join(target.folder, 'state', 'sync.db') })
  await store.enrol(signer, ['kbd-control:demo'])
  await store.close()
  const commands: Command[] = [
    { type: 'board.create', boardId, title: 'Board' },
    { type: 'column.create', boardId, columnId, title: 'Column', rank: 'a' },
    ...Array.from({ length: CARDS }, (): Command => {
      const title = `${'long '.repeat(180)}\u009b31m\u202e`
      return { type: 'card.create', cardId: randomUUID(), boardId, columnId, rank: 'm', title }
    }),
  ]
  const lines: string[] = []
  let parents: string[] = []
  for (const command of commands) {
    const envelope = await envelopeOf(signer, { command, parents })
    parents = [idOf(envelope)]
    lines.push(JSON.stringify({ command: envelope }))
  }
  const headers = { 'content-type': 'application/x-ndjson' }
  const body = lines.join('\n')
  const reply = await sendTo(
    { socketPath: target.socketPath },
    { method: 'POST', path: '/api/v1/kbd/import', headers, body },
  )
  assert.is(reply.status, 200, reply.text.slice(0, 300))
}

/** Starts `svc mcp` with a new device. */
async function startMcp(target: Target): Promise<Child> {
  const key = join(target.folder, 'robot.key')
  await target.command('device', 'keygen', '--out', key)
  await target.command('device', 'enroll', '--key', `${key}.pub`, '--scope', 'kbd-control:demo')
  const args = ['--disable-warning=ExperimentalWarning', shippedProgram, 'mcp', '--key', key, '--project', 'demo']
  return startChild(process.execPath, { args, env: startEnvironment(target.folder), hasInput: true })
}

/** The answers that `svc mcp` has written, one per line. */
const answersOf = ({ out }: Child): readonly Answer[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Answer)

/** Sends a request, and waits for its answer. */
async function call(mcp: Child, id: number, method: string, params: unknown): Promise<Answer> {
  mcp.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
  // The SDK writes the id as the last member.
  await mcp.waitFor(new RegExp(`"id":${id}\\}\\n`), 60_000)
  return answersOf(mcp).find((answer) => answer.id === id)!
}

it('lines that are broken, deep or 96 MiB long, and a large board in pages of bounded size', async () => {
  const target = await startTarget('uws')
  let mcp: Child | undefined
  try {
    await seed(target)
    mcp = await startMcp(target)
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } }
    await call(mcp, 1, 'initialize', client)
    mcp.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    resetPeak(mcp.pid)
    const { rssBytes } = memoryOf(mcp.pid)
    const { report, grownBytes, result } = await beside(target, async () => {
      const broken = [
        '{',
        'null',
        '[]',
        '"x"',
        '{"jsonrpc":"1.0","id":5,"method":"ping"}',
        '['.repeat(MAX_LINE_BYTES - 1),
      ]
      for (const line of broken) mcp!.write(`${line}\n`)
      const piece = 'x'.repeat(MIB)
      for (let n = 0; n < 96; n++) {
        mcp!.write(piece)
        await new Promise((resolve) => setImmediate(resolve))
      }
      mcp!.write('\n')
      const pages: string[] = []
      for (let id = 10, cursor: unknown; ; id++) {
        const input = cursor === undefined ? {} : { cursor }
        const { result } = (await call(mcp!, id, 'tools/call', { name: 'board_show', arguments: input })) as {
          result: { content: { text: string }[]; structuredContent: { nextCursor: string | null } }
        }
        pages.push(result.content[0]!.text)
        cursor = result.structuredContent.nextCursor
        if (cursor === null) break
      }
      return pages
    })
    const grown = memoryOf(mcp.pid).peakBytes - rssBytes
    console.log(
      `mcp: ${result.length} pages, ${(grown / MIB).toFixed(0)} MiB there, ${(grownBytes / MIB).toFixed(0)} MiB here`,
    )
    assertCalm(report)
    assert.ok(grownBytes < 192 * MIB, `${grownBytes}`)
    assert.ok(grown < 128 * MIB, `${grown}`)
    assert.equal(
      answersOf(mcp).flatMap(({ error }) => error?.code ?? []),
      [-32_700, -32_600, -32_600, -32_600, -32_600, -32_700, -32_600],
    )
    assert.ok(result.length > 4)
    for (const page of result) {
      assert.ok(page.length < 2 * PAGE_CHARS, `${page.length}`)
      assert.not.match(page, /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }
    assert.is(result.join().match(/"cardId"/g)?.length, CARDS)

    const key = join(target.folder, 'robot.key')
    chmodSync(key, 0o644)
    const args = ['--disable-warning=ExperimentalWarning', shippedProgram, 'mcp', '--key', key]
    const refused = startChild(process.execPath, { args, env: startEnvironment(target.folder) })
    assert.is((await refused.exited).code, 1)
    assert.match(refused.err, /robot\.key/)
  } finally {
    await mcp?.stop()
  }
})

test.run()
