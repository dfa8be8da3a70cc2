/** The row of `cli` in the feature matrix. */
import type { Feature } from '../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `cli`. */
export const feature: Feature = {
  summary: 'The program: command line, configuration file, signals',
  stability: 'stable',
  since: '0.1.0',
  platform: 'node',
  main: 'plugins/cli/main.ts',
  owns: ['plugins/cli'],
  contract,
}
