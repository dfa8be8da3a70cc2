/** The command svc board. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { defineContract } from '../../../core/testing/contract.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'kbd.cli': true
  }
}

/** Feature `kbd.cli`. */
export const feature: FeatureValue<'kbd.cli'> = defineFeature({
  id: 'kbd.cli',
  about: described({
    at: import.meta.url,
    summary: 'The command svc board',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['kbd.api', 'sync.api'],
    platform: 'node',
    commands: () => import('./board-command.ts'),
    libraries: ['protocol'],
    packages: ['@noble/hashes'],
    contract: defineContract({
      present: [
        {
          name: 'svc board says what it can do',
          command: ['board', '--help'],
          exits: { code: 0, stdout: /^Usage: svc board list \| show/, stderr: '' },
        },
        {
          name: 'a board without a word of what to do is wrong usage',
          command: ['board'],
          exits: { code: 64, stdout: '', stderr: /list, show/ },
        },
        {
          name: 'without a running service svc board list says so',
          command: ['board', 'list', '--socket', '/nonexistent/sync.sock'],
          exits: { code: 1, stdout: '', stderr: /\/nonexistent\/sync\.sock/ },
        },
      ],
      absent: [
        {
          name: 'there is no command board',
          needs: ['cli'],
          command: ['board', 'list'],
          exits: { code: 64, stdout: '', stderr: /There is no command "board"/ },
        },
      ],
    }),
  }),
})
