/** The contract of the streams of boards, as far as it can be tested on a node without boards. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'

const reader = { user: 'ada', scopes: ['kbd:read'] }
const mirrors = ['/api/svc/kbd/nowhere', '/api/svc/kbd/nowhere/stream'] as const

/** The contract of feature `kbd.agent-ui`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'the stream of an unknown project is 404 project_not_found',
      surface: 'local',
      send: { path: '/api/v1/agent-ui/projects/nowhere/stream' },
      expect: { status: 404, body: { error: { code: 'project_not_found' } } },
    },
    {
      name: 'the live topic kbd without kbd:read is 403 forbidden',
      needs: ['realtime.live'],
      send: { path: '/api/live/kbd', as: { user: 'ada', scopes: ['live:publish'] } },
      expect: { status: 403, body: { error: { code: 'forbidden' } } },
    },
    {
      name: 'the live topic kbd is open to readers of boards',
      needs: ['realtime.live'],
      steps: async (target) => {
        const answer = await target.open({ path: '/api/live/kbd', as: reader })
        answer.close()
        if (answer.status !== 200) throw new Error(`it answered ${answer.status}`)
      },
    },
    {
      name: 'nobody publishes to the topic kbd over HTTP',
      needs: ['realtime.live'],
      send: {
        method: 'POST',
        path: '/api/live/kbd',
        as: { user: 'ada', scopes: ['kbd:read', 'live:publish'] },
        body: { identifier: 'demo', operation: 'update', data: null },
      },
      expect: { status: 403, body: { error: { code: 'forbidden' } } },
    },
    ...mirrors.flatMap((path): readonly Case[] => [
      { name: `${path} without a credential is 401`, send: { path }, expect: { status: 401 } },
      {
        name: `${path} without kbd:read is 403 forbidden`,
        send: { path, as: { user: 'ada' } },
        expect: { status: 403, body: { error: { code: 'forbidden' } } },
      },
      {
        name: `${path} of an unknown project is 404 project_not_found`,
        send: { path, as: reader },
        expect: { status: 404, body: { error: { code: 'project_not_found' } } },
      },
    ]),
  ],
  absent: [...mirrors, '/api/live/kbd'].map(
    (path): Case => ({
      name: `${path} is not there`,
      send: { path, as: reader },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    }),
  ),
})
