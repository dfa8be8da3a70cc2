/** The contract of the commands of boards, without a running service and an enrolled device. */
import { type Contract, defineContract } from '../../../core/contract.ts'

/** The contract of feature `kbd.cli`. */
export const contract: Contract = defineContract({
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
})
