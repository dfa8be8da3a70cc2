/** `svc audit`: the chain of what was done on this node. */
import { parseArgs } from 'node:util'
import { actionNamed, type Command } from '../../../core/command.ts'
import { toJsonText } from '../../../core/printable.ts'
import type { AuditVerdict } from '../../sync/api.ts'
import type {} from '../../sync/capabilities.ts'

const HELP = `Usage: svc audit verify [--json] [--socket <path>]

Lets the running service walk its whole audit chain. Ends with 1 where an entry is not as it was written, or is missing,
and names it.`

const auditCommand: Command = {
  name: 'audit',
  summary: 'the audit chain: verify',
  help: HELP,
  async run([action, ...args], io) {
    actionNamed(action, { verify: true })
    const options = { json: { type: 'boolean' }, socket: { type: 'string' } } as const
    const { json, socket } = parseArgs({ args, options }).values
    const verdict = await io.use('LocalService')(socket).get<AuditVerdict>('/api/v1/audit/verify')
    if (json === true) io.out(toJsonText(verdict, 2))
    else if (verdict.ok) io.out(`${verdict.count} entries, all as they were written; the head is ${verdict.head.hash}`)
    else io.out(`entry ${verdict.firstBad} is not as it was written, or is missing`)
    return verdict.ok ? 0 : 1
  },
}

/** `svc audit`. */
export const commands: readonly Command[] = [auditCommand]
