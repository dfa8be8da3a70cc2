/**
 * The app with Node as the phone: its database is a file, which the engine shares with the notes of the app.
 *
 *   SERVICE=https://svc.example BACKEND=https://shop.example node phone.mjs login|enrol|add|sync|push|show …
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { createDeviceKey } from 'svc/sign'
import { openAccount } from './account.mjs'
import { openApp } from './app.mjs'
import { openPocket } from './pocket.mjs'

/** Opens the app of a folder. */
export async function openPhone({ folder, service, backend, project = 'demo', step, log = () => {} }) {
  const db = new DatabaseSync(join(folder, 'app.db'))
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const notes = notesIn(db)
  const database = {
    exec: (sql) => db.exec(sql),
    run: (sql, params) => db.prepare(sql).run(...params),
    all: (sql, params) => db.prepare(sql).all(...params),
  }
  const key = await createDeviceKey(notes.get('key') && Uint8Array.from(Buffer.from(notes.get('key'), 'hex')))
  if (notes.get('key') === undefined) notes.put('key', Buffer.from(key.secret).toString('hex'))
  const pocket = await openPocket({ platform: { now: Date.now, log }, database, project, key })
  const account = openAccount({ backend, notes })
  const app = await openApp({ pocket, key, notes, project, service, token: account.token, step })
  return { ...app, keyId: key.keyId, login: account.login, close: () => app.close().finally(() => db.close()) }
}

/** The notes of the app in a table of its own. Each call is one statement, so it is durable when it returns. */
function notesIn(db) {
  db.exec('CREATE TABLE IF NOT EXISTS notes (position INTEGER PRIMARY KEY, name TEXT UNIQUE, value TEXT)')
  const [get, list, remove, put] = [
    'SELECT value FROM notes WHERE name = ?',
    'SELECT name FROM notes WHERE substr(name, 1, ?) = ? ORDER BY position',
    'DELETE FROM notes WHERE name = ?',
    'INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  ].map((sql) => db.prepare(sql))
  return {
    get(name) {
      const row = get.get(name)
      return row && JSON.parse(row.value)
    },
    list: (beginning) => list.all(beginning.length, beginning).map(({ name }) => name),
    put: (name, value) => void put.run(name, JSON.stringify(value)),
    remove: (name) => void remove.run(name),
  }
}

/** Prints the columns of all boards with the titles of their cards. */
function draw({ boards, columns, cards }) {
  for (const { boardId, title } of Object.values(boards)) {
    console.log(title)
    for (const column of Object.values(columns).filter((one) => one.boardId === boardId)) {
      const inside = Object.values(cards).filter(({ place }) => place?.columnId === column.columnId)
      const titles = inside.map(({ title }) => title).sort()
      console.log(`  ${column.title}: ${titles.join(', ')}`)
    }
  }
}

/** Adds a card to the first column of the board. */
async function add(app, title) {
  const [column] = Object.values((await app.show()).columns)
  if (column === undefined) throw new Error('This phone has no board yet: sync first.')
  const { boardId, columnId } = column
  await app.change(randomUUID(), { type: 'card.create', cardId: randomUUID(), title, boardId, columnId, rank: 'V' })
}

const actions = {
  login: (app, user, password) => app.login(user, password),
  enrol: async (app, code) => {
    await app.invite(code)
    await app.sync()
  },
  add,
  sync: (app) => app.sync(),
  async push(app) {
    const id = randomUUID()
    await app.push(id)
    await app.sync()
    const { localState, revision } = await app.receipt(id)
    console.log(`${localState}, revision ${revision}`)
  },
  show: async (app) => draw(await app.show()),
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [action, ...words] = process.argv.slice(2)
  const { SERVICE: service, BACKEND: backend, PHONE: folder = '.' } = process.env
  const app = await openPhone({ folder, service, backend })
  try {
    await actions[action](app, ...words)
  } catch (error) {
    console.error(`${error.message}${error.cause ? ` (${error.cause.code ?? error.cause.message})` : ''}`)
    process.exitCode = 1
  }
  await app.close()
}
