/** What commands that call the runtime surface promise. */
import { type Contract, defineContract } from '../../../core/contract.ts'

/** The contract of feature `transport.client`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a token file that others may read is not used',
      needs: ['console'],
      command: ['console', '--url', 'http://127.0.0.1:1', '--token-file', '/etc/hostname'],
      exits: { code: 1, stdout: '', stderr: /must be a regular file of this user with mode 0600/ },
    },
  ],
  absent: { none: 'only other commands use it, and those that need it are absent with it' },
})
