/** The cases of the console that need no running service. */
import { type Case, type Contract, defineContract } from '../../core/testing/contract.ts'

const misused = (name: string, args: readonly string[], stderr: RegExp): Case => ({
  name,
  command: ['console', ...args],
  exits: { code: 64, stdout: '', stderr },
})

/** The contract of feature `console`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'svc console --help prints the usage',
      command: ['console', '--help'],
      exits: { code: 0, stdout: /^Usage: svc console \[--open\]/, stderr: '' },
    },
    misused('a service elsewhere needs a credential', ['--url', 'https://svc.example'], /--url needs --token-file/),
    misused(
      'no credential goes to a host elsewhere without TLS',
      ['--url', 'http://svc.example', '--token-file', 'token'],
      /--url takes an origin: https/,
    ),
    misused('a key alone changes nothing', ['--key', 'device.key'], /give --write too/),
    misused('a token is no argument', ['--token', 'secret'], /--token/),
  ],
  absent: [
    {
      name: 'there is no command console',
      needs: ['cli'],
      command: ['console', '--help'],
      exits: { code: 64, stdout: '', stderr: /There is no command "console"/ },
    },
  ],
})
