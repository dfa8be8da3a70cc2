/** Boards as graphs of signed commands. `engine.ts` judges and applies them. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'kbd.engine': true
  }
}

/** Feature `kbd.engine`. */
export const feature: FeatureValue<'kbd.engine'> = defineFeature({
  id: 'kbd.engine',
  about: described({
    at: import.meta.url,
    summary: 'Boards as graphs of signed commands: registers, claims, conflicts, one state for one frontier',
    stability: 'experimental',
    since: '0.1.0',
    platform: 'bare',
    code: () => import('./engine.ts'),
    storePart: () => import('./store-part.ts'),
    packages: ['canonicalize'],
    exports: { createBoards: () => import('./embedded-boards.ts') },
    libraries: ['protocol'],
    contract,
  }),
})
