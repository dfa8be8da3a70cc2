/** A process that pushes until it is killed. It sends the id of each acknowledged push. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createHostRig, databaseOf } from './host-rig.ts'

const sqlite = new DatabaseSync(join(process.argv[2]!, 'app.db'))
sqlite.exec('CREATE TABLE IF NOT EXISTS applied (id TEXT)')
const rig = createHostRig(() => ({
  // A correct host does not apply an id twice.
  apply: (_domain, { pushId }) => {
    if (sqlite.prepare('SELECT 1 FROM applied WHERE id = ?').get(pushId) !== undefined) return
    sqlite.prepare('INSERT INTO applied VALUES (?)').run(pushId)
  },
  frontier: () => null,
}))
rig.database = databaseOf(sqlite)
const engine = await rig.start()
for (;;) {
  const requestId = randomUUID()
  const { status } = await engine.sync.submit(rig.push({ requestId }))
  process.send!(status === 201 ? requestId : `wrong status ${status}`)
}
