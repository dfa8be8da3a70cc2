/**
 * Loaded before the shipped program, with `node --import`. If the file KILL_FILE exists when the program looks up one invitation, the
 * program is killed before the statement whose number the file has, counted from there; `end` means directly after the commit.
 */
import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'

const file = process.env.KILL_FILE
const LOOKED_UP = /FROM invitations WHERE id = \?/
let at
let count = 0

const die = () => process.kill(process.pid, 'SIGKILL')

function before(sql) {
  if (at === undefined && LOOKED_UP.test(sql) && existsSync(file)) at = readFileSync(file, 'utf8')
  if (at !== undefined && String(count++) === at) die()
}

for (const [prototype, names, sqlOf] of [
  [StatementSync.prototype, ['all', 'get', 'run', 'iterate'], ({ sourceSQL }) => sourceSQL],
  [DatabaseSync.prototype, ['exec'], (_, sql) => sql],
])
  for (const name of names) {
    const work = prototype[name]
    prototype[name] = function (...given) {
      const sql = sqlOf(this, ...given)
      before(sql)
      const result = work.apply(this, given)
      if (/^\s*COMMIT/i.test(sql)) {
        if (at === 'end') die()
        at = undefined
        count = 0
      }
      return result
    }
  }
