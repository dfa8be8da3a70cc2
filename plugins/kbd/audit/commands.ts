/** `svc audit`: verifies the audit chain of this node. */
import { parseArgs } from 'node:util'
import { actionNamed, type Command } from '../../../core/declare/command.ts'
import { toJsonText } from '../../../core/kernel/printable.ts'
import type {} from '../../transport/unix/api.ts'
import type { ChainVerdict } from './checkpoints.ts'

const HELP = `Usage: svc audit verify [--json] [--socket <path>]

Makes the running service verify its whole audit chain. Exits with 1, and names the entry, if an entry is not as it was
written or is missing.`

const auditCommand: Command = {
  name: 'audit',
  summary: 'the audit chain: verify',
  help: HELP,
  async run([action, ...args], io) {
    actionNamed(action, { verify: true })
    const options = { json: { type: 'boolean' }, socket: { type: 'string' } } as const
    const { json, socket } = parseArgs({ args, options }).values
    const verdict = await io.use('LocalService')(socket).get<ChainVerdict>('/api/v1/audit/verify')
    io.out(json === true ? toJsonText(verdict, 2) : inWords(verdict))
    return verdict.ok ? 0 : 1
  },
}

function inWords({ ok, count, head, firstBad, checkpoint }: ChainVerdict): string {
  if (ok) return `${count} entries, all as they were written; the head is ${head.hash}`
  // All hashes are right, including the hash in the checkpoint. Only the signature of the checkpoint is wrong.
  if (firstBad === checkpoint?.seq && head.seq >= firstBad)
    return `The entries fit together, but the key of this node did not sign the checkpoint at entry ${firstBad}. This is normal after a restore on another machine or svc peer rotate, until this node signs its next checkpoint. Otherwise the chain may have been rewritten.`
  return `entry ${firstBad} is not as it was written, or is missing`
}

/** `svc audit`. */
export const commands: readonly Command[] = [auditCommand]
