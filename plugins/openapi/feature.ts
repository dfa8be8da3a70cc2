/** The row of `openapi` in the feature matrix. */
import type { Feature } from '../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../core/feature.ts' {
  interface Features {
    openapi: true
  }
}

/** Feature `openapi`. */
export const feature: Feature<'openapi'> = {
  at: import.meta.url,
  summary: 'The OpenAPI 3.1 contract, served and printed',
  stability: 'stable',
  since: '0.1.0',
  requires: ['transport.unix'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  commands: () => import('./commands.ts'),
  owns: ['openapi.json'],
  operations: () => import('./operations.ts'),
  contract,
}
