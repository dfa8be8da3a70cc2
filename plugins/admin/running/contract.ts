/** The contract of what the owner of the machine sees of the running service. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'

const paths = ['/api/v1/admin/settings', '/api/v1/admin/callers'] as const

interface Settings {
  readonly settings: readonly { readonly key: string; readonly value: unknown; readonly source: string }[]
}

/** The contract of feature `admin.running`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'the settings in force have their values and sources, and no secret',
      surface: 'local',
      given: { 'server.max_body_bytes': 2_048 },
      steps: async (target) => {
        const { settings } = (await target.request({ path: paths[0] })).json() as Settings
        const of = (key: string) => settings.find((one) => one.key === key)
        const size = of('server.max_body_bytes')
        if (size?.value !== 2_048 || size.source === 'default') throw new Error(JSON.stringify(size))
        const secret = of('security.jwt_secret')
        if (secret?.value !== '[redacted]') throw new Error('the secret is shown')
      },
    },
    {
      name: 'the callers are a list',
      surface: 'local',
      send: { path: paths[1] },
      expect: { status: 200, headers: { 'cache-control': 'no-store' }, body: /^\{"now_ms":\d+,"callers":\[/ },
    },
    ...paths.map(
      (path): Case => ({
        name: `${path} is not on the runtime surface`,
        send: { path, as: { user: 'ada' } },
        expect: { status: 404, body: { error: { code: 'not_found' } } },
      }),
    ),
    {
      name: 'without a running service svc who says so',
      command: ['who', '--socket', '/nonexistent/sync.sock'],
      exits: { code: 1, stdout: '', stderr: /\/nonexistent\/sync\.sock/ },
    },
    {
      name: 'svc who --everybody is wrong usage',
      command: ['who', '--everybody'],
      exits: { code: 64, stdout: '', stderr: /Usage: svc who/ },
    },
  ],
  absent: [
    ...paths.map(
      (path): Case => ({
        name: `${path} is not there`,
        surface: 'local',
        needs: ['sync.api'],
        send: { path },
        expect: { status: 404, body: { error: { code: 'not_found' } } },
      }),
    ),
    {
      name: 'there is no command who',
      needs: ['cli'],
      command: ['who'],
      exits: { code: 64, stdout: '', stderr: /There is no command "who"/ },
    },
  ],
})
