/** Callers that may write or read boards and attack the service: a stranger on the other surface is still served. */
import { createHash, randomUUID } from 'node:crypto'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, Project } from '../../plugins/kbd/api.ts'
import { canonicalText } from '../../plugins/protocol/canonical.ts'
import { envelopeOf } from '../e2e/kbd/caller.ts'
import { type Reply, sendTo } from '../e2e/sync/daemon.ts'
import { countOf } from '../support/count.ts'
import { startSpending } from '../support/process-time.ts'
import { createServer, createSigner, type Signer } from '../unit/sync/platforms.ts'
import { attacksOf, beside, serversBefore, startTarget, type Target } from './rig.ts'
import { assertCalm } from './stranger.ts'

const test = suite('hostile: boards')
const it = attacksOf(test)
const MIB = 1024 * 1024
/** The commands of each lane of a flood. 96 of them are accepted, all others are refused. */
const FLOOD = countOf({ quick: 20, deep: 60 })
/** The cards of a board that many read, and of one that many follow. */
const [READ_CARDS, STREAM_CARDS] = [countOf({ quick: 4_000, deep: 10_000 }), countOf({ quick: 2_000, deep: 5_000 })]
/** The changes of a board while others read it. */
const [READ_CHANGES, STREAM_CHANGES] = [countOf({ quick: 6, deep: 20 }), countOf({ quick: 120, deep: 200 })]
const PROJECT = '/api/v1/kbd/projects/demo'
const [boardId, columnId] = [randomUUID(), randomUUID()]
const cardIdOf = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

/** Enrols devices in the store of the target while the service runs. */
async function enrol(target: Target, count: number): Promise<[Signer, ...Signer[]]> {
  const signers = Array.from({ length: count }, () => createSigner())
  const command = createServer({ path: join(target.folder, 'state', 'sync.db') })
  for (const signer of signers) await command.enrol(signer, ['kbd-control:demo'])
  await command.close()
  return signers as [Signer, ...Signer[]]
}

const send = (target: Target, path: string, method = 'GET', type = '', body?: string): Promise<Reply> =>
  sendTo(
    { socketPath: target.socketPath },
    { method, path, ...(body === undefined ? {} : { headers: { 'content-type': type }, body }) },
  )
const post = async (target: Target, signer: Signer, command: Command, parents: readonly string[]): Promise<Reply> =>
  send(
    target,
    `${PROJECT}/commands`,
    'POST',
    'application/json',
    JSON.stringify(await envelopeOf(signer, { command, parents })),
  )

/**
 * Signs a graph and imports it as a file. `parents` are numbers of earlier commands, by default the previous command.
 * Returns the ids of the commands.
 */
async function seed(
  target: Target,
  commands: readonly { readonly signer: Signer; readonly command: Command; readonly parents?: readonly number[] }[],
): Promise<readonly string[]> {
  const ids: string[] = []
  const lines: string[] = []
  for (const [n, { signer, command, parents = n === 0 ? [] : [n - 1] }] of commands.entries()) {
    const envelope = await envelopeOf(signer, { command, parents: parents.map((at) => ids[at]!) })
    const { signature: _, ...shape } = envelope
    ids.push(createHash('sha256').update(canonicalText(shape)).digest('hex'))
    lines.push(JSON.stringify({ command: envelope }))
  }
  const reply = await send(target, '/api/v1/kbd/import', 'POST', 'application/x-ndjson', lines.join('\n'))
  assert.is(reply.status, 200, reply.text.slice(0, 300))
  return ids
}

/** The commands of one device for a board with the given number of cards. */
function boardOf(signer: Signer, cards: number, titleOf = (n: number): string => `Card ${n} on a board of many`) {
  const commands: Command[] = [
    { type: 'board.create', boardId, title: 'Board' },
    { type: 'column.create', boardId, columnId, title: 'Column', rank: 'a' },
    ...Array.from(
      { length: cards },
      (_, n): Command => ({
        type: 'card.create',
        cardId: cardIdOf(n),
        boardId,
        columnId,
        rank: 'm',
        title: titleOf(n),
      }),
    ),
  ]
  return commands.map((command) => ({ signer, command }))
}

const title = (n: number, text: string): Command => ({ type: 'card.update', cardId: cardIdOf(n), title: text })

for (const server of serversBefore()) {
  it(`${server}: devices flood a board with commands, and leave as many heads as possible`, async () => {
    const target = await startTarget(server)
    const signers = await enrol(target, 6)
    const ids = await seed(target, boardOf(signers[0], 32))
    const head = ids.at(-1)!
    const { result, report, grownBytes } = await beside(target, async () => {
      const statuses: Record<string, number> = {}
      const lane = async (signer: Signer): Promise<void> => {
        for (let n = 0; n < FLOOD; n++) {
          const reply = await post(target, signer, title(n % 32, `${n}`), [head])
          const what = `${reply.status} ${reply.json().error?.code ?? ''}`
          statuses[what] = (statuses[what] ?? 0) + 1
        }
      }
      await Promise.all(signers.flatMap((signer) => Array.from({ length: 4 }, () => lane(signer))))
      // Every read that returns heads now returns the most heads that it may.
      for (let n = 0; n < 40; n++) {
        const project = (await send(target, PROJECT)).json() as unknown as Project
        assert.equal([project.headCount, project.frontier.heads.length], [96, 64])
      }
      return statuses
    })
    assertCalm(report)
    assert.equal(result, { '201 ': 96, '409 device_behind': 6 * 4 * FLOOD - 96 })
    assert.ok(grownBytes < 192 * MIB, `${grownBytes}`)
  })

  it(`${server}: commands that name 64 parents of a deliberately interleaved graph`, async () => {
    const target = await startTarget(server)
    const signers = await enrol(target, 4)
    const start = boardOf(signers[0], 8)
    // Sixteen branches whose commands take turns, so that the commands that one branch has not seen of the others are
    // not a contiguous range.
    const branches = 16
    const braid = Array.from({ length: 2_000 }, (_, n) => ({
      signer: signers[n % 4]!,
      command: title(n % 8, `Title ${n}`),
      parents: [n < branches ? start.length - 1 : start.length + n - branches],
    }))
    const ids = await seed(target, [...start, ...braid])
    const { result, report } = await beside(target, async () => {
      const statuses: Record<string, number> = {}
      const late = createSigner()
      const lane = async (lane: number): Promise<void> => {
        for (let n = 0; n < 12; n++) {
          const parents = new Set<string>()
          for (let i = 0; parents.size < 64; i++)
            parents.add(ids[(lane * 977 + n * 331 + i * 61 + start.length) % ids.length]!)
          const reply = await post(target, signers[lane % 4]!, title(n % 8, `${lane} ${n}`), [...parents])
          const what = `${reply.status} ${reply.json().error?.code ?? ''}`
          statuses[what] = (statuses[what] ?? 0) + 1
        }
      }
      await Promise.all(Array.from({ length: 8 }, (_, n) => lane(n)))
      assert.is((await post(target, late, title(0, 'x'), [ids[0]!])).status, 403)
      return statuses
    })
    assertCalm(report)
    assert.equal(Object.keys(result).sort(), ['201 ', '409 device_behind'])
    const { '201 ': written = 0, '409 device_behind': refused = 0 } = result
    assert.is(written + refused, 96)
    // Each of the 4 devices has 4 branches and may have 16: 12 new ones, and one for each old branch that it continues.
    assert.ok(written >= 4 * 12 && written <= 4 * 16, `${written}`)
  })

  it(`${server}: fifty readers repeatedly read a board of ${READ_CARDS} cards while it changes`, async () => {
    const target = await startTarget(server)
    const [signer] = await enrol(target, 1)
    const ids = await seed(target, boardOf(signer, READ_CARDS))
    let head = ids.at(-1)!
    const { result, report, grownBytes } = await beside(target, async () => {
      let [reads, over] = [0, false]
      const reader = async (): Promise<void> => {
        while (!over) {
          const bytes = await drain(target, PROJECT)
          assert.ok(bytes > 200 * READ_CARDS, `${bytes}`)
          reads++
        }
      }
      const readers = Array.from({ length: 50 }, reader)
      for (let n = 0; n < READ_CHANGES; n++) {
        const reply = await post(target, signer, title(n, `Changed ${n}`), [head])
        assert.is(reply.status, 201, reply.text)
        head = String(reply.json()['id'])
      }
      over = true
      await Promise.all(readers)
      return reads
    })
    assertCalm(report)
    assert.ok(result >= 50)
    assert.ok(grownBytes < 512 * MIB, `${grownBytes}`)
  })

  it(`${server}: searches for all words, over cards that contain all words`, async () => {
    const target = await startTarget(server)
    const [signer] = await enrol(target, 1)
    const words = Array.from({ length: 330 }, (_, n) => (36 + n).toString(36))
    const all = words.join(' ').slice(0, 1_000)
    await seed(
      target,
      boardOf(signer, 1_500, () => all),
    )
    const queries = [all, words.slice(0, 100).join(' '), `${all} zzz`, '"'.repeat(500), 'a'.repeat(1_024), words[0]!]
    const { result, report } = await beside(target, async () => {
      const statuses = new Set<number>()
      const caller = async (): Promise<void> => {
        for (const q of queries)
          for (const limit of [1, 100])
            statuses.add((await send(target, `/api/v1/search?limit=${limit}&q=${encodeURIComponent(q)}`)).status)
      }
      await Promise.all(Array.from({ length: 8 }, caller))
      return statuses
    })
    assertCalm(report)
    assert.equal([...result], [200])
  })
}

for (const server of serversBefore())
  it(`${server}: unread streams of a large board while it changes`, async () => {
    const target = await startTarget(server)
    const opened: IncomingMessage[] = []
    try {
      const [signer] = await enrol(target, 1)
      const ids = await seed(target, boardOf(signer, STREAM_CARDS))
      let head = ids.at(-1)!
      const { report, grownBytes } = await beside(target, async () => {
        for (let n = 0; n < 100; n++) opened.push(await open(target, '/api/v1/agent-ui/projects/demo/stream'))
        for (let n = 0; n < STREAM_CHANGES; n++) {
          const reply = await post(target, signer, title(n, `Changed ${n}`), [head])
          assert.is(reply.status, 201, reply.text)
          head = String(reply.json()['id'])
        }
      })
      assertCalm(report)
      assert.ok(grownBytes < 256 * MIB, `${grownBytes}`)
    } finally {
      for (const answer of opened) answer.destroy()
    }
  })

/** A pace so fast that the stranger notices every long step of the server. */
const keen = { everyMs: 5, paths: ['/health'] }
const [CARDS, BRANCHES, PLACES] = [3_072, 12, 256]

/** A board on which every card has one place per branch: megabytes of conflicts. */
function conflicted(signers: readonly Signer[]) {
  const start = boardOf(signers[0]!, CARDS)
  const graph: { signer: Signer; command: Command; parents?: readonly number[] }[] = [...start]
  for (let branch = 0; branch < BRANCHES; branch++)
    for (let first = 0; first < CARDS; first += PLACES) {
      const places = Array.from({ length: PLACES }, (_, n) => ({
        cardId: cardIdOf(first + n),
        rank: `${'m'.repeat(60)}${branch + 10}m`,
      }))
      const parents = [first === 0 ? start.length - 1 : graph.length - 1]
      graph.push({
        signer: signers[branch % signers.length]!,
        command: { type: 'column.rerank', columnId, places },
        parents,
      })
    }
  return graph
}

/** 128 labels and 800 archives of one card, all concurrent to each other. */
function archivedBeside(signers: readonly Signer[]) {
  const start = boardOf(signers[0]!, 1)
  const beside = (command: Command, n: number) => ({
    signer: signers[n % signers.length]!,
    command,
    parents: [start.length - 1],
  })
  return [
    ...start,
    ...Array.from({ length: 800 }, (_, n) => beside({ type: 'card.archive', cardId: cardIdOf(0) }, n)),
    ...Array.from({ length: 128 }, (_, n) => beside({ type: 'label.add', cardId: cardIdOf(0), name: `l${n}` }, n)),
  ]
}

/** Changes the title of a card. The command follows all earlier commands. */
async function changeTitle(target: Target, signer: Signer, n: number): Promise<void> {
  const { projects } = (await send(target, '/api/v1/kbd/projects')).json() as unknown as {
    projects: readonly { readonly project: string; readonly frontier: { readonly heads: readonly string[] } }[]
  }
  const { heads } = projects.find(({ project }) => project === 'demo')!.frontier
  const reply = await post(target, signer, title(n, `Changed ${n}`), heads)
  assert.is(reply.status, 201, reply.text.slice(0, 300))
}

// Boards are on the local surface, which is the same for both servers.
it('an import of one card that many commands archive and label concurrently', async () => {
  const target = await startTarget('uws')
  const [late, ...signers] = await enrol(target, 5)
  const { report } = await beside(
    target,
    async () => {
      let head = (await seed(target, archivedBeside(signers))).at(-1)!
      for (let n = 0; n < 4; n++) {
        const more: Command = { type: 'label.add', cardId: cardIdOf(0), name: `more${n}` }
        const reply = await post(target, late, more, [head])
        assert.is(reply.status, 201, reply.text.slice(0, 300))
        head = String(reply.json()['id'])
      }
    },
    keen,
  )
  assertCalm(report)
})

it('an import of one line of 60 MiB, and forty unfinished imports', async () => {
  const target = await startTarget('uws')
  const halves: ClientRequest[] = []
  try {
    await enrol(target, 1)
    const type = 'application/x-ndjson'
    const line = Buffer.alloc(60 * MIB, 'x')
    const { report, grownBytes } = await beside(
      target,
      async () => {
        assert.is(await sendSlowly(target, '/api/v1/kbd/import', type, line), 413)
        for (let n = 0; n < 40; n++) {
          const headers = { 'content-type': type, 'content-length': `${60 * MIB}` }
          const half = request({ socketPath: target.socketPath, path: '/api/v1/kbd/import', method: 'POST', headers })
          half.on('error', () => undefined)
          half.write(line.subarray(0, 65_536))
          halves.push(half)
        }
        const statuses = new Set<number>()
        for (let n = 0; n < 4; n++) statuses.add((await send(target, '/api/v1/kbd/import', 'POST', type, '{}')).status)
        assert.ok(
          [...statuses].every((status) => status === 503 || status === 400),
          `${[...statuses]}`,
        )
      },
      keen,
    )
    assertCalm(report)
    assert.ok(grownBytes < 512 * MIB, `${grownBytes}`)
  } finally {
    for (const half of halves) half.destroy()
  }
})

it('an import that repeats one command costs time in proportion to its bytes, and a broken import changes nothing', async () => {
  const target = await startTarget('uws')
  const [signer] = await enrol(target, 1)
  const first = await envelopeOf(signer, {
    command: { type: 'board.create', boardId, title: 'Board' },
    parents: [],
  })
  const line = `${JSON.stringify({ command: first })}\n`
  const type = 'application/x-ndjson'
  const broken = await send(target, '/api/v1/kbd/import', 'POST', type, `${line.repeat(2)}{"command":{}}\n`)
  assert.is(broken.status, 400, broken.text)
  assert.is(((await send(target, PROJECT)).json() as unknown as Project).frontier.heads.length, 0)
  const body = Buffer.from(line.repeat(Math.floor((60 * MIB) / line.length)))
  const { result, report } = await beside(
    target,
    async () => {
      const spent = startSpending(target.child.pid)
      assert.is(await sendSlowly(target, '/api/v1/kbd/import', type, body), 200)
      return spent().ranMs
    },
    keen,
  )
  assertCalm(report)
  // It took 20 s while each line was verified.
  assert.ok(result < 5_000, `${result} ms`)
  assert.is(((await send(target, PROJECT)).json() as unknown as Project).frontier.heads.length, 1)
})

it('a board with thousands of conflicts is read, followed and changed; then answers of its states stay unread', async () => {
  const target = await startTarget('uws')
  const opened: IncomingMessage[] = []
  const keepOpen = async (path: string): Promise<void> => void opened.push(await open(target, path))
  const conflicts = (limit: number): string => `${PROJECT}/conflicts?limit=${limit}`
  try {
    const signers = await enrol(target, 3)
    await seed(target, conflicted(signers))
    const changed = (n: number): Promise<void> => changeTitle(target, signers[0], n)
    const { report, grownBytes } = await beside(
      target,
      async () => {
        for (const limit of [100, 1_000]) {
          const page = await send(target, conflicts(limit))
          assert.is(page.status, 200)
          assert.ok(page.text.length < 4 * MIB, `${page.text.length}`)
        }
        for (let n = 0; n < 4; n++) {
          await changed(n)
          const reads = await Promise.all(Array.from({ length: 4 }, () => drain(target, PROJECT)))
          for (const bytes of reads) assert.ok(bytes > 4 * MIB, `${bytes}`)
        }
        for (let n = 0; n < 12; n++) {
          await keepOpen('/api/v1/agent-ui/projects/demo/stream')
          await changed(n)
        }
        for (let n = 0; n < 24; n++) {
          await changed(n)
          for (const path of [PROJECT, ...Array<string>(4).fill(conflicts(1_000))]) await keepOpen(path)
        }
        const bytes = await drain(target, PROJECT)
        assert.ok(bytes > 4 * MIB, `${bytes}`)
      },
      keen,
    )
    console.log(`a board of conflicts: ${(grownBytes / MIB).toFixed(0)} MiB, ${JSON.stringify(report)}`)
    assertCalm(report)
    assert.ok(grownBytes < 384 * MIB, `${grownBytes}`)
    const etag = String((await send(target, conflicts(1_000))).headers['etag'])
    const again = { socketPath: target.socketPath }
    const same = await sendTo(again, { path: conflicts(1_000), headers: { 'if-none-match': etag } })
    assert.is(same.status, 304)
  } finally {
    for (const answer of opened) answer.destroy()
  }
})

/** Sends a large body piece by piece, so that this process is not blocked. Returns the status. */
function sendSlowly({ socketPath }: Target, path: string, type: string, body: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'content-length': `${body.length}` }
    const outgoing = request({ socketPath, path, method: 'POST', headers, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode!)
    })
    outgoing.once('error', reject)
    const next = (from: number): void => {
      if (from >= body.length) outgoing.end()
      else outgoing.write(body.subarray(from, from + 65_536), () => setImmediate(next, from + 65_536))
    }
    next(0)
  })
}

/** Sends a request and does not read the body of its answer. Rejects unless the status is 200. */
function open({ socketPath }: Target, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, agent: false }, (answer) => {
      if (answer.statusCode === 200) return resolve(answer)
      answer.destroy()
      reject(new Error(`${path}: ${answer.statusCode}`))
    })
    outgoing.once('error', reject).end()
  })
}

/** Reads an answer with status 200 and counts its bytes without keeping them. */
async function drain(target: Target, path: string): Promise<number> {
  const answer = await open(target, path)
  let bytes = 0
  for await (const chunk of answer) bytes += (chunk as Buffer).length
  return bytes
}

test.run()
