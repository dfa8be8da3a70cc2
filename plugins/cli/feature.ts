/** The row of `cli` in the feature matrix. */
import type { Feature } from '../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../core/feature.ts' {
  interface Features {
    cli: true
  }
}

/** Feature `cli`. */
export const feature: Feature<'cli'> = {
  at: import.meta.url,
  summary: 'The program: command line, configuration file, signals',
  stability: 'stable',
  since: '0.1.0',
  platform: 'node',
  main: () => import('./main.ts'),
  contract,
}
