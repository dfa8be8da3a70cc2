/** The OpenAPI contract, at `/openapi.json` of the local surface and on the command line. */
import { described } from '../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../core/declare/feature.ts'
import { later } from '../../core/kernel/later.ts'
import { defineContract } from '../../core/testing/contract.ts'

declare module '../../core/declare/matrix.ts' {
  interface Features {
    openapi: true
  }
}

/** Feature `openapi`. */
export const feature: FeatureValue<'openapi'> = defineFeature({
  id: 'openapi',
  about: described({
    at: import.meta.url,
    summary: 'The OpenAPI 3.1 contract, served and printed',
    stability: 'stable',
    since: '0.1.0',
    requires: ['transport.unix'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    owns: ['openapi.json'],
    contract: defineContract({
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
    }),
  }),
  setup: () => later(() => import('./document.ts')),
  routes: (route) => [
    route('local GET /openapi.json', {
      about: described({
        id: 'openapi',
        summary: 'The OpenAPI 3.1 contract of both surfaces.',
        answers: { 200: { description: 'This document.', schema: { type: 'object', title: 'OpenApiDocument' } } },
      }),
      async handler(_, document) {
        const { openApiText } = await document()
        return { status: 200, headers: { 'content-type': 'application/json' }, body: openApiText }
      },
    }),
  ],
})
