/**
 * A node of pairing-kill.test.ts in its own process. The process kills itself at a step of a pairing, which it finds by
 * the statement that the step runs.
 */
import type { Ledger } from '../../../plugins/sync/capabilities.ts'
import { startNode } from './nodes.ts'

const [folder, listen, at] = process.argv.slice(2) as [string, string, string]

/** The statement of each step, and whether the process is killed before its transaction is committed or after. */
const STEPS: Readonly<Record<string, { readonly sql: RegExp; readonly isCommitted: boolean }>> = {
  'join is stored': { sql: /^INSERT OR REPLACE INTO peer_joins/, isCommitted: true },
  'answer has come': { sql: /^DELETE FROM peer_joins/, isCommitted: false },
  'join has ended': { sql: /^DELETE FROM peer_joins/, isCommitted: true },
  'code is being used': { sql: /^INSERT OR REPLACE INTO peers/, isCommitted: false },
  'code is used': { sql: /^INSERT OR REPLACE INTO peers/, isCommitted: true },
}

const node = await startNode({ folder, given: { 'peer.listen': listen } })
const store = node.kernel.capability('ReceiptStore')
const { write } = store
const die = (): void => void process.kill(process.pid, 'SIGKILL')
Object.assign(store, {
  async write<T>(work: (ledger: Ledger) => T): Promise<T> {
    let isReached = false
    const result = await write.call(store, (ledger) => {
      const rows: Ledger['rows'] = (sql, ...parameters) => {
        const found = ledger.rows(sql, ...parameters)
        const step = STEPS[at]
        if (step?.sql.test(sql) === true) isReached = true
        if (isReached && step?.isCommitted === false) die()
        return found as never
      }
      return work({ ...ledger, rows })
    })
    if (isReached) die()
    return result as T
  },
})
process.stdout.write(`${JSON.stringify({ id: node.id, address: node.address, socketPath: node.socketPath })}\n`)
process.once('SIGTERM', () => void node.stop())
