/** The program: command line, configuration file, signals. `main.ts` runs it. */
import { described } from '../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../core/declare/matrix.ts' {
  interface Features {
    cli: true
  }
}

/** Feature `cli`. */
export const feature: FeatureValue<'cli'> = defineFeature({
  id: 'cli',
  about: described({
    at: import.meta.url,
    summary: 'The program: command line, configuration file, signals',
    stability: 'stable',
    since: '0.1.0',
    platform: 'node',
    main: () => import('./main.ts'),
    contract,
  }),
})
