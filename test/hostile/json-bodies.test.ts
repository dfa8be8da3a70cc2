/** JSON bodies of 1 MiB that are cheap to send and expensive to parse, on every route that accepts JSON. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { attacksOf, beside, ENOUGH_ANSWERS, MOST_ROUNDS, serversBefore, startTarget } from './rig.ts'
import { assertCalm } from './stranger.ts'

const test = suite('hostile: JSON bodies')
const it = attacksOf(test)

/** The most processor time in ms that the server may use between a stranger's request and its answer. */
const STRANGER_MS = 50
const CONNECTIONS = 6
const ROUNDS = 5

const wide = `{${Array.from({ length: 80_000 }, (_, n) => `"m${n}":1`).join(',')}}`
const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`
const shapes = `[${Array.from({ length: 60_000 }, (_, n) => `{"a${n}":1}`).join(',')}]`

for (const server of serversBefore()) {
  it(`${server}: bodies of 1 MiB that are deep, wide or of many shapes`, async () => {
    const target = await startTarget(server, { SVC_REALTIME__TOPICS: 'todos', SVC_SERVER__MODE: 'runtime' })
    const headers = { ...target.bearer('eve', ['live:publish'], 'evil'), 'content-type': 'application/json' }
    const post = async (path: string, body: string): Promise<number> => {
      const answer = await target.ask(path, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      return answer.status
    }
    assert.is(await post('/api/svc/runs', '{"run_id":"r"}'), 201)
    for (const path of ['/api/svc/auth/keys', '/api/svc/runs', '/api/live/todos', '/api/svc/runs/r/events']) {
      for (const [name, body] of Object.entries({ deep, wide, shapes })) {
        const { result, report } = await beside(
          target,
          async ({ answers }) => {
            const statuses = new Set<number>()
            const send = async (): Promise<void> => {
              for (let round = 0; round < ROUNDS || (answers() < ENOUGH_ANSWERS && round < MOST_ROUNDS); round++)
                statuses.add(await post(path, body))
            }
            await Promise.all(Array.from({ length: CONNECTIONS }, send))
            return [...statuses]
          },
          { everyMs: 5, paths: ['/health'] },
        )
        const seen = `${path}, ${name}: ${result}, ${JSON.stringify(report)}`
        assert.ok(
          result.every((status) => status === 400 || status === 413),
          seen,
        )
        assertCalm(report, STRANGER_MS)
      }
    }
  })
}

for (const server of serversBefore()) {
  it(`${server}: members that a route does not know, and a credential that occurs twice`, async () => {
    const target = await startTarget(server, { SVC_REALTIME__TOPICS: 'todos', SVC_SERVER__MODE: 'runtime' })
    const headers = { ...target.bearer('eve', ['live:publish']), 'content-type': 'application/json' }
    const bodies: Readonly<Record<string, readonly [taken: string | undefined, ...refused: string[]]>> = {
      '/api/svc/auth/keys': ['{"name":"x"}', '{"name":"x","extra":1}', '{"name":"x","name":"y"}'],
      '/api/svc/auth/exchange': [undefined, '{"api_key":"x","extra":1}', '{"api_key":"x","api_key":"y"}'],
      '/api/svc/runs': ['{"run_id":"r"}', '{"run_id":"q","extra":1}'],
      '/api/live/todos': [
        '{"identifier":"x","operation":"insert","data":null}',
        '{"identifier":"x","operation":"insert","data":null,"extra":1}',
      ],
    }
    for (const [path, [taken, ...refused]] of Object.entries(bodies)) {
      for (const body of refused) {
        const answer = await target.ask(path, { method: 'POST', headers, body })
        assert.match(`${answer.status} ${await answer.text()}`, /^400 .*"malformed_request"/, `${path} ${body}`)
      }
      if (taken === undefined) continue
      const answer = await target.ask(path, { method: 'POST', headers, body: taken })
      assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.text()}`)
    }
  })
}

test.run()
