/**
 * A feature of a user stores rows in the store of the node: its migration runs, and `svc store` counts and checks its
 * rows.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { buildDir, distDir, root } from '../../scripts/build/paths.ts'
import { type ChildExit, startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'
import { program as shipped } from './sync/shipped.ts'

const test = suite("a store part of a user's own")
const name = `notes-test-${process.pid}`
const folder = folderWith({
  'notes.ts': `import type { Profile } from 'svc/plugin'
export const profile: Profile = {
  name: '${name}',
  summary: 'Notes in the store of the node',
  extends: 'server-full',
  library: { features: {} },
  main: { features: { 'edge.notes': true } },
  own: { 'edge.notes': './feature.ts' },
}
`,
  'store-part.ts': `import type { StorePart } from 'svc/plugin'
export const storePart: StorePart = {
  migrations: [
    {
      id: 'edge.notes',
      requires: ['sync.receipts'],
      independent: true,
      up: 'CREATE TABLE edge_notes (no INTEGER PRIMARY KEY, text TEXT NOT NULL, sum INTEGER NOT NULL) STRICT',
    },
  ],
  contents: [{ name: 'notes', table: 'edge_notes', words: ['note', 'notes'] }],
  check: ({ driver, sums }) =>
    driver
      .prepare('SELECT text, sum FROM edge_notes')
      .all()
      .flatMap((row) => {
        try {
          sums.check(row)
          return []
        } catch {
          return ['a note']
        }
      }),
}
`,
  'feature.ts': `import { defineContract, defineFeature, described } from 'svc/plugin'
export const feature = defineFeature({
  id: 'edge.notes',
  about: described({
    summary: 'Counts the starts of the node',
    stability: 'experimental',
    since: '1.0.0',
    requires: ['sync.store-sqlite'],
    platform: 'node',
    storePart: './store-part.ts',
    contract: defineContract({ present: { none: 'a test looks at the store' }, absent: { none: 'nothing is seen' } }),
  }),
  needs: { ReceiptStore: 'required' },
  setup({ get, onStart }) {
    const store = get('ReceiptStore')
    onStart(() =>
      store.write(({ rows, sums }) => {
        rows('INSERT INTO edge_notes (text, sum) VALUES (?, ?)', ...sums.add(['started']))
      }),
    )
  },
})
`,
})
const state = join(folder, 'state')
const env = {
  HOME: folder,
  XDG_RUNTIME_DIR: folder,
  SVC_SERVER__MODE: 'sync',
  SVC_STORAGE__DIR: state,
  SVC_SYNC__SOCKET_PATH: join(folder, 's.sock'),
}

test.after(() => {
  for (const made of [buildDir(name), distDir(name)]) rmSync(made, { recursive: true, force: true })
})

/** Runs a command of a program with the store. */
async function svc(program: string, ...words: string[]): Promise<ChildExit & { readonly said: string }> {
  const args = ['--disable-warning=ExperimentalWarning', program, ...words]
  const child = startChild(process.execPath, { args, env })
  return { ...(await child.exited), said: child.out + child.err }
}

/** Starts a program, and stops it after its start. */
async function startOnce(program: string): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', program]
  const child = startChild(process.execPath, { args, env })
  await child.waitFor(/"socket":"/)
  assert.is((await child.stop()).code, 0, child.err)
}

test('the migration of a store part runs, info, backup and check include its rows, and a build without it opens the store', async () => {
  const build = startChild(process.execPath, { args: [join(root, 'scripts/build/cli.ts'), 'notes.ts'], cwd: folder })
  assert.is((await build.exited).code, 0, build.err)
  const own = join(distDir(name), 'svc.mjs')
  await startOnce(own)
  await startOnce(own)
  const info = (await svc(own, 'store', 'info')).said
  for (const line of [/^holds\t0 receipts, 2 notes\n/, /^notes\t2$/m]) assert.match(info, line)
  assert.match((await svc(own, 'store', 'backup', join(folder, 'backup.db'))).said, /^Wrote 0 receipts, 2 notes to /)
  assert.match((await svc(own, 'store', 'check')).said, /^0 receipts, 2 notes: nothing is damaged\./)
  if (existsSync(shipped)) {
    await startOnce(shipped)
    assert.match((await svc(shipped, 'store', 'check')).said, /^0 receipts: nothing is damaged\./)
  }
  const database = new DatabaseSync(join(state, 'sync.db'))
  database.exec("UPDATE edge_notes SET text = 'changed' WHERE no = 1")
  database.close()
  const check = await svc(own, 'store', 'check')
  assert.is(check.code, 1)
  assert.match(check.said, /^a note$/m)
  assert.is((await svc(own, 'store', 'backup', join(folder, 'other.db'))).code, 1)
})

test.run()
