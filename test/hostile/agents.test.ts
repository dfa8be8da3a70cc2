/** Attacks through agents: many calls under way, and calls that begin and end without pause. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { begin, type CallIds, frame, said, startAgent } from '../e2e/realtime/agent-server.ts'
import { countOf } from '../support/count.ts'
import { attacksOf, beside, ENOUGH_ANSWERS, serversBefore, startTarget } from './rig.ts'
import { assertCalm } from './stranger.ts'

const test = suite('hostile: agents')
const it = attacksOf(test)

/** Calls of the attacker that are under way. */
const CALLS = 200

/** Calls that the attacker opens and cancels. */
const ROUNDS = countOf({ quick: 100, deep: 200 })

for (const server of serversBefore()) {
  it(`${server}: ${CALLS} calls of one caller that talk, and one that opens and cancels calls in a loop`, async () => {
    /** The calls that wait, by the id of the run. */
    const open = new Map<string, { say(): void; end(): void }>()
    const agent = await startAgent({
      talk: (response, ids: CallIds) => {
        const [started, opened, , closed, finished] = said(ids, '').map(frame)
        const word = frame({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x'.repeat(200) })
        begin(response).write(started! + opened!)
        open.set(ids.runId, {
          say: () => void response.write(word),
          end: () => void response.end(closed! + finished!),
        })
      },
    })
    const target = await startTarget(server, {
      SVC_SERVER__MODE: 'runtime',
      SVC_SERVER__SHUTDOWN_GRACE_MS: '1000',
      SVC_REALTIME__AGENTS: JSON.stringify({ talk: { url: `${agent.url}/talk` } }),
      SVC_REALTIME__MAX_AGENT_CALLS_PER_IDENTITY: String(CALLS),
      SVC_REALTIME__MAX_AGENT_CALLS_PER_TENANT: String(CALLS + 8),
    })
    const headers = (user: string) => ({
      ...target.bearer(user, [], 'evil'),
      'content-type': 'application/json',
      accept: 'application/json',
    })
    const post = async (user: string, path: string, body?: unknown): Promise<number> => {
      const answer = await target.ask(path, {
        ...{ method: 'POST', headers: headers(user) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      await answer.arrayBuffer()
      return answer.status
    }
    const call = (user: string, runId: string): Promise<number> =>
      post(user, '/api/svc/agents/talk', {
        ...{ runId, threadId: 't', tools: [], context: [], forwardedProps: {}, state: {}, messages: [] },
      })
    const ofStranger = async (path: string, body: unknown): Promise<number> => {
      const authorization = target.bearer('stranger')
      const answer = await target.ask(path, {
        ...{ method: 'POST', headers: { ...authorization, 'content-type': 'application/json' } },
        body: JSON.stringify(body),
      })
      await answer.arrayBuffer()
      return answer.status
    }
    try {
      for (const run_id of ['own', 'over']) {
        assert.is(await ofStranger('/api/svc/runs', { run_id }), 201)
        const ids = { threadId: 't', runId: run_id }
        const events = run_id === 'own' ? [{ type: 'RUN_STARTED', ...ids }] : said(ids, 'hello')
        assert.is(await ofStranger(`/api/svc/runs/${run_id}/events`, events), 200)
      }
      const { report, result } = await beside(
        target,
        async ({ answers }) => {
          const statuses: number[] = []
          const seen = new Set<number>()
          for (let n = 0; n < CALLS; n++) statuses.push(await call('eve', `e${n}`))
          seen.add(await call('eve', 'too-many'))
          for (let round = 0; round < ROUNDS || answers() < ENOUGH_ANSWERS; round++) {
            for (const { say } of open.values()) say()
            const id = `m${round}`
            statuses.push(await call('mallory', id))
            const ended = await post('mallory', `/api/svc/runs/${id}/cancel`)
            assert.is(ended, 200)
          }
          for (const { end } of open.values()) end()
          return { statuses, seen }
        },
        {
          paths: ['/health', '/api/svc/runs/own/events', '/api/svc/runs/over/stream'],
          bodies: { '/api/svc/runs/own/events': JSON.stringify({ type: 'CUSTOM', name: 'mine', value: 1 }) },
        },
      )
      assert.equal([...new Set(result.statuses)], [202])
      assert.equal([...result.seen], [429])
      assertCalm(report)
    } finally {
      await agent.close()
    }
  })
}

test.run()
