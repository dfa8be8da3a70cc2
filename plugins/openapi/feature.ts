/** The OpenAPI contract, at `/openapi.json` of the local surface and on the command line. */
import { described } from '../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../core/declare/feature.ts'
import { later } from '../../core/later.ts'
import { contract } from './contract.ts'

declare module '../../core/feature.ts' {
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
    contract,
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
