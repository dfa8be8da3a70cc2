/** A registered peer that attacks: its requests and its answers cost the node no more than its share. */
import { randomBytes, randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, CommandEnvelope } from '../../plugins/kbd/api.ts'
import type { Exchange, PeerAnswer } from '../../plugins/peer/api.ts'
import { createLink } from '../../plugins/peer/tls/link.ts'
import { envelopeOf } from '../e2e/kbd/caller.ts'
import { idOf } from '../e2e/peer/caller.ts'
import { wordOf } from '../e2e/peer/lying-node.ts'
import { sendTo } from '../e2e/sync/daemon.ts'
import { type Signer, signed } from '../unit/sync/platforms.ts'
import { openScene } from './peer-scene.ts'
import { attacksOf, beside } from './rig.ts'
import { assertCalm } from './stranger.ts'

const test = suite('hostile: peers')
const it = attacksOf(test)
const MIB = 1024 * 1024
/** The size of a body, which must stay below 256 KiB. */
const BODY_BYTES = 240_000
const boardId = randomUUID()
const json = { 'content-type': 'application/json' }

/** Signs a chain of commands of at least `bytes` bytes. */
async function chainOf(
  signer: Signer,
  bytes: number,
  commandOf: (n: number) => Command,
  parents: readonly string[] = [],
): Promise<readonly CommandEnvelope[]> {
  const commands: CommandEnvelope[] = []
  let previous = parents
  for (let size = 0, n = 0; size < bytes; n++) {
    const command = await envelopeOf(signer, { command: commandOf(n), parents: previous })
    previous = [idOf(command)]
    size += JSON.stringify(command).length + 1
    commands.push(command)
  }
  return commands
}

const create: Command = { type: 'board.create', boardId, title: 'Release' }
const long = (n: number): Command =>
  n === 0 ? create : { type: 'board.update', boardId, title: `${n} `.padEnd(1_000, 'x') }

it('a peer uses up its bytes per minute on every expensive request', async () => {
  const { target, key, alice, mallory, entry, stop } = await openScene()
  const link = createLink({ key: () => key, timeoutMs: 60_000, idleTimeoutMs: 60_000, maxConnections: 4 })
  const statuses: Record<string, number> = {}
  const ask = async (exchange: Omit<Exchange, 'headers'>, type = 'application/json'): Promise<PeerAnswer> => {
    const headers = { 'svc-peer-version': '1', ...(exchange.body !== undefined && { 'content-type': type }) }
    const answer = await link.exchange(entry, { ...exchange, headers })
    const text =
      answer.status < 300
        ? ''
        : String((JSON.parse(String(Buffer.from(answer.body))) as { error: { code: string } }).error.code)
    const what = `${answer.status} ${text}`.trim()
    statuses[what] = (statuses[what] ?? 0) + 1
    return answer
  }
  const give = (pushId: string | null, commands: readonly unknown[]): Promise<PeerAnswer> =>
    ask({ method: 'POST', path: '/api/v2/peer/commands', body: JSON.stringify({ project: 'demo', pushId, commands }) })
  /** Repeats requests until the peer's bytes are used up. */
  const untilRefused = async (work: (n: number) => Promise<PeerAnswer>): Promise<void> => {
    for (let n = 0; (await work(n)).status !== 429; n++) assert.ok(n < 20_000, 'the peer is refused')
  }
  try {
    const push = JSON.parse(
      new TextDecoder().decode(signed(alice, { issuedAtMs: Date.now(), targetEndpointIds: [entry.endpointId] })),
    ) as { requestId: string }
    const body = JSON.stringify({ push, frontier: { heads: ['f'.repeat(64)] }, commands: [] })
    assert.is((await ask({ method: 'POST', path: '/api/v2/peer/pushes', body })).status, 200)
    const endless: (readonly CommandEnvelope[])[] = []
    for (let n = 0; n < 16; n++) {
      const parents = n === 0 ? [] : [idOf(endless.at(-1)!.at(-1)!)]
      endless.push(await chainOf(alice, BODY_BYTES, (i) => long(n === 0 ? i : i + 1), parents))
    }
    const orphans = await chainOf(mallory, BODY_BYTES, (n) => long(n + 1), ['e'.repeat(64)])
    const forged = orphans.map((one) => ({ ...one, signature: Buffer.alloc(64, 1).toString('base64') }))
    const acknowledgements = Array.from({ length: 100 }, () =>
      wordOf({ push }, key, { state: 'applied', appliedFrontier: { heads: [] } }),
    )
    const { report, grownBytes } = await beside(target, async () => {
      await Promise.all([
        untilRefused((n) => give(push.requestId, endless[n % endless.length]!)),
        untilRefused((n) => give(null, n % 2 === 0 ? orphans : forged)),
        untilRefused((n) => {
          const text = randomBytes(BODY_BYTES)
          const path = `/api/v2/peer/projects/demo/content/${n.toString(16).padStart(64, '0')}`
          return n % 2 === 0
            ? ask({ method: 'PUT', path, body: text }, 'application/octet-stream')
            : ask({ method: 'POST', path: '/api/v2/peer/acks', body: JSON.stringify({ acks: acknowledgements }) })
        }),
        untilRefused((n) =>
          ask({
            method: 'GET',
            path: `/api/v2/peer/projects/demo${n % 2 === 0 ? n : ''}/commands?have=${Array.from({ length: 64 }, () => randomBytes(32).toString('hex')).join()}`,
          }),
        ),
      ])
    })
    console.log(`a liar that asks: ${(grownBytes / MIB).toFixed(0)} MiB, ${JSON.stringify(statuses)}`)
    assertCalm(report)
    assert.ok(statuses['429 rate_limited']! >= 4)
    assert.ok(grownBytes < 192 * MIB, `${grownBytes}`)
  } finally {
    link.close()
    await stop()
  }
})

it('a peer answers with an endless list of commands of unknown signers, and with answers that are too large', async () => {
  let pages: readonly string[] = []
  let next = 0
  const { target, mallory, liar, stop } = await openScene((path) => {
    if (!path.includes('/commands')) return {}
    return Buffer.from(`{"commands":[${pages[next++ % pages.length]}],"frontier":{"heads":[]},"more":true}`)
  })
  try {
    const commands = (await chainOf(mallory, 20 * MIB, long)).map((one) => JSON.stringify(one))
    const unsignedPages: string[] = []
    for (let page = '', index = 0; index < commands.length; index++) {
      page += `${page === '' ? '' : ','}${commands[index]}`
      if (page.length > 1_000_000 || index === commands.length - 1) {
        unsignedPages.push(page)
        page = ''
      }
    }
    const pull = async (): Promise<string> => {
      next = 0
      const reply = await sendTo(
        { socketPath: target.socketPath },
        { method: 'POST', path: `/api/v1/peers/${liar.id}/pull`, headers: json, body: '{"project":"demo"}' },
      )
      return `${reply.status} ${reply.json().error?.code}`
    }
    const { result, report, grownBytes } = await beside(target, async () => {
      pages = unsignedPages
      const found = [await pull(), await pull()]
      pages = ['"x"'.padEnd(2 * MIB)]
      found.push(await pull())
      return found
    })
    console.log(
      `a liar that is asked: ${(grownBytes / MIB).toFixed(0)} MiB, ${JSON.stringify(result)}, asked ${liar.asked()}`,
    )
    assertCalm(report)
    assert.equal(result, ['502 peer_delivery_failed', '502 peer_delivery_failed', '502 peer_delivery_failed'])
    assert.ok(grownBytes < 192 * MIB, `${grownBytes}`)
  } finally {
    await stop()
  }
})

it('a peer sends a graph of one card that many commands archive and label concurrently', async () => {
  const { target, key, alice, entry, stop } = await openScene()
  const link = createLink({ key: () => key, timeoutMs: 60_000, idleTimeoutMs: 60_000, maxConnections: 4 })
  try {
    const [columnId, cardId] = [randomUUID(), randomUUID()]
    const graph = [await envelopeOf(alice, { command: create, parents: [] })]
    for (const command of [
      { type: 'column.create', boardId, columnId, title: 'C', rank: 'a' },
      { type: 'card.create', cardId, boardId, columnId, rank: 'm', title: 'Card' },
    ] as const)
      graph.push(await envelopeOf(alice, { command, parents: [idOf(graph.at(-1)!)] }))
    const parents = [idOf(graph.at(-1)!)]
    for (let n = 0; n < 800; n++)
      graph.push(await envelopeOf(alice, { command: { type: 'card.archive', cardId }, parents }))
    for (let n = 0; n < 128; n++)
      graph.push(await envelopeOf(alice, { command: { type: 'label.add', cardId, name: `l${n}` }, parents }))
    const { report, grownBytes } = await beside(
      target,
      async () => {
        for (let from = 0; from < graph.length; from += 250) {
          const commands = graph.slice(from, from + 250)
          const body = JSON.stringify({ project: 'demo', pushId: null, commands })
          const headers = { 'svc-peer-version': '1', ...json }
          const answer = await link.exchange(entry, { method: 'POST', path: '/api/v2/peer/commands', headers, body })
          const text = String(Buffer.from(answer.body))
          assert.is(answer.status, 200, text)
          assert.is((JSON.parse(text) as { accepted: number }).accepted, commands.length, text)
        }
      },
      { everyMs: 5, paths: ['/health'] },
    )
    console.log(`a wide graph: ${JSON.stringify(report)}`)
    assertCalm(report)
    assert.ok(grownBytes < 128 * MIB, `${grownBytes}`)
  } finally {
    link.close()
    await stop()
  }
})

test.run()
