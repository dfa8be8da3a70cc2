/** Calls of commands to the runtime surface of a service. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { defineContract } from '../../../core/testing/contract.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'transport.client': true
  }
}

/** Feature `transport.client`. */
export const feature: FeatureValue<'transport.client'> = defineFeature({
  id: 'transport.client',
  about: described({
    at: import.meta.url,
    summary: 'Commands call the runtime surface of a service: its address, its certificate, the credential',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['cli', 'transport.node-http'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    contract: defineContract({
      present: [
        {
          name: 'a token file that others may read is not used',
          needs: ['console'],
          command: ['console', '--url', 'http://127.0.0.1:1', '--token-file', '/etc/hostname'],
          exits: { code: 1, stdout: '', stderr: /must be a regular file of this user with mode 0600/ },
        },
      ],
      absent: { none: 'only other commands use it, and those that need it are absent with it' },
    }),
  }),
})
