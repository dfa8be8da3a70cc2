/**
 * A listed peer that searches for texts of other projects by their hashes: it learns nothing, and no other caller is
 * delayed.
 */
import { createHash, randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../plugins/kbd/api.ts'
import { createLink } from '../../plugins/peer/tls/link.ts'
import { envelopeOf } from '../e2e/kbd/caller.ts'
import { idOf } from '../e2e/peer/caller.ts'
import { type Reply, sendTo } from '../e2e/sync/daemon.ts'
import { openScene, type Scene } from './peer-scene.ts'
import { beside, testAttack } from './rig.ts'
import { assertCalm } from './stranger.ts'

const test = suite('hostile: texts of other projects')
const [boardId, columnId, cardId, commentId] = Array.from({ length: 4 }, () => randomUUID()) as [
  string,
  string,
  string,
  string,
]
const TEXTS = 64
const texts = Array.from({ length: TEXTS }, (_, n) => `a text of the other project, ${n}`.padEnd(4_000, '.'))
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const octets = { 'content-type': 'application/octet-stream' }

const local = ({ target }: Scene, path: string, method = 'GET', type = '', body?: string): Promise<Reply> =>
  sendTo(
    { socketPath: target.socketPath },
    { method, path, ...(body !== undefined && { headers: { 'content-type': type }, body }) },
  )

/**
 * Creates a card of the project `other` that gets every text in turn, and a comment with the last text. Returns the id
 * of the last command.
 */
async function writeTexts(scene: Scene): Promise<string> {
  const { alice } = scene
  let head: string | undefined
  const enter = async (command: Command): Promise<void> => {
    const envelope = await envelopeOf(alice, { project: 'other', command, parents: head === undefined ? [] : [head] })
    const reply = await local(
      scene,
      '/api/v1/kbd/projects/other/commands',
      'POST',
      'application/json',
      JSON.stringify(envelope),
    )
    assert.is(reply.status, 201, reply.text)
    head = idOf(envelope)
  }
  await enter({ type: 'board.create', boardId, title: 'B' })
  await enter({ type: 'column.create', boardId, columnId, title: 'C', rank: 'a' })
  await enter({ type: 'card.create', cardId, boardId, columnId, rank: 'm', title: 'Card' })
  for (const text of texts) {
    const kept = await local(scene, `/api/v1/kbd/content/${hashOf(text)}`, 'PUT', octets['content-type'], text)
    assert.is(kept.status, 201, kept.text)
    await enter({ type: 'card.update', cardId, bodyHash: hashOf(text) })
  }
  await enter({ type: 'comment.add', commentId, cardId, bodyHash: hashOf(texts.at(-1)!) })
  return head!
}

testAttack(
  test,
  'a peer reads and probes texts of another project by their hashes, while one text is redacted',
  async () => {
    const scene = await openScene()
    const { key, entry, target, alice } = scene
    const link = createLink({ key: () => key, timeoutMs: 60_000, idleTimeoutMs: 60_000, maxConnections: 4 })
    const ask = async (method: 'GET' | 'PUT', text: string, body?: string): Promise<number> => {
      const headers = { 'svc-peer-version': '1', ...(body !== undefined && octets) }
      const path = `/api/v2/peer/projects/demo/content/${hashOf(text)}`
      const answer = await link.exchange(entry, { method, path, headers, ...(body !== undefined && { body }) })
      return answer.status
    }
    try {
      const head = await writeTexts(scene)
      const { result, report, grownBytes } = await beside(target, async () => {
        const seen: Record<string, number> = {}
        const probe = async (lane: number): Promise<void> => {
          for (let n = lane; n < 6 * TEXTS; n += 4) {
            const text = texts[n % TEXTS]!
            for (const method of ['GET', 'PUT'] as const) {
              // The hash names a text of the other project or no text at all. The answer is the same, so it does not
              // depend on other projects.
              const status = await ask(
                method,
                n % 2 === 0 ? text : `${text}?`,
                method === 'PUT' ? 'not the text' : undefined,
              )
              seen[`${method} ${status}`] = (seen[`${method} ${status}`] ?? 0) + 1
            }
          }
        }
        const redact = await envelopeOf(alice, {
          project: 'other',
          command: { type: 'comment.redact', commentId },
          parents: [head],
        })
        await Promise.all([
          ...Array.from({ length: 4 }, (_, lane) => probe(lane)),
          local(scene, '/api/v1/kbd/projects/other/commands', 'POST', 'application/json', JSON.stringify(redact)).then(
            ({ status, text }) => assert.is(status, 201, text),
          ),
        ])
        return seen
      })
      console.log(`texts: ${JSON.stringify(result)}, ${JSON.stringify(report)}, ${grownBytes}`)
      assert.equal(Object.keys(result).sort(), ['GET 404', 'PUT 422'])
      assertCalm(report)
      assert.ok(grownBytes < 128 * 1024 * 1024, `${grownBytes}`)

      const redacted = texts.at(-1)!
      const statusOf = async (text: string): Promise<number> =>
        (await local(scene, `/api/v1/kbd/content/${hashOf(text)}`)).status
      assert.equal([await statusOf(redacted), await statusOf(texts[0]!)], [404, 200])
      // A text that the peer itself has is accepted as new in its project, whether or not another project has the text.
      for (const text of [texts[0]!, texts[0]!, 'a text of nobody']) assert.is(await ask('PUT', text, text), 201)
      assert.is(await ask('GET', texts[0]!), 404, 'no command of the project refers to the text')
    } finally {
      link.close()
      await scene.stop()
    }
  },
)

test.run()
