/** Cases of the OpenAPI contract. */
import { type Contract, defineContract } from '../../core/contract.ts'

/** The contract of feature `openapi`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /openapi.json on the socket is an OpenAPI 3.1 document of both surfaces',
      surface: 'local',
      send: { path: '/openapi.json' },
      expect: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { openapi: '3.1.0', info: { title: 'svc' } },
      },
    },
    {
      name: 'svc openapi prints it, and so does --mode openapi',
      dialogue: async ({ run }) => {
        const printed = await run(['openapi'])
        if (printed.code !== 0 || !printed.stdout.startsWith('{')) throw new Error(JSON.stringify(printed))
        const { stdout } = await run(['--mode', 'openapi'])
        if (stdout !== printed.stdout) throw new Error('--mode openapi prints another text')
      },
    },
  ],
  absent: [
    {
      name: 'there is no command openapi',
      needs: ['cli'],
      command: ['openapi'],
      exits: { code: 64, stdout: '', stderr: /There is no command "openapi"/ },
    },
  ],
})
