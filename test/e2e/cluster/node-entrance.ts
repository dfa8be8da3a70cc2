/** Access to the runs of a ledger through a node in the test's process. */
import { SvcError } from '../../../core/declare/errors.ts'
import type { Entrance } from '../../../scripts/cluster/ledger.ts'
import type { RunNode } from './run-nodes.ts'

const owner = { user_id: 'ann', tenant_id: 'acme' }

export function entranceOf({ runs }: Pick<RunNode, 'runs'>): Entrance {
  return {
    begin: async (run_id) => (await runs.get(owner, run_id))?.epoch ?? (await runs.create(owner, { run_id })).epoch,
    append: async (run_id, event, match) => {
      try {
        const { last_seq } = await runs.append(owner, run_id, [event], match)
        return { is: 'written', seq: last_seq }
      } catch (error) {
        const code = error instanceof SvcError ? error.code : String(error)
        if (code !== 'overloaded' && code !== 'append_unknown') throw error
        return { is: code }
      }
    },
    read: async (run_id) => {
      const run = await runs.find(owner, run_id, false)
      const names: (string | undefined)[] = []
      if (run === undefined) return { names, isWhole: true }
      const { ring } = run.feed
      for (let seq = ring.base; seq < ring.next; seq++) {
        const text = Buffer.from(ring.at(seq)!.bytes).toString()
        const { type, name } = JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as { type: string; name?: string }
        names[seq - 1] = name ?? type
      }
      return { names, isWhole: true }
    },
  }
}
