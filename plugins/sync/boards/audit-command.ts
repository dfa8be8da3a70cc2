/** `svc audit`: the chain of what was done on this node. */
import type { Command } from '../../../core/command.ts'
import { command, readOptions, UsageError } from '../api/commands/arguments.ts'
import type { AuditVerdict } from '../api.ts'
import { createClient } from './client.ts'

const HELP = `Usage: svc audit verify [--json] [--socket <path>]

Lets the running service walk its whole audit chain. Ends with 1 where an entry is not as it was written, or is missing,
and names it.`

/** The command `audit`. */
export const auditCommand: Command = command({
  name: 'audit',
  summary: 'the audit chain: verify',
  help: HELP,
  async run([action, ...args], io) {
    if (action !== 'verify') throw new UsageError('what to do? verify')
    const { values, positionals } = readOptions(args, { json: { type: 'boolean' }, socket: { type: 'string' } })
    if (positionals.length > 0) throw new UsageError('verify takes no name')
    const verdict = await createClient(io, values.socket).get<AuditVerdict>('/api/v1/audit/verify')
    if (values.json === true) io.out(JSON.stringify(verdict, null, 2))
    else if (verdict.ok) io.out(`${verdict.count} entries, all as they were written; the head is ${verdict.head.hash}`)
    else io.out(`entry ${verdict.firstBad} is not as it was written, or is missing`)
    return verdict.ok ? 0 : 1
  },
})
