/**
 * The phone of docs/examples/pocket-board without an end: each round adds a card, asks for a push and syncs. It prints
 * each step at once, so that a test can kill it after any of them. Arguments: the first round, the round after the
 * last, and a code. It stops after the step HOLD.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cardOf, type PocketApp, uuids } from './pocket-rounds.ts'

const say = (line: string): void => void writeSync(1, `${line}\n`)
const [from, to, code] = process.argv.slice(2) as [string, string, string | undefined]
const { SERVICE: service, BACKEND: backend, HOLD: heldAt } = process.env
const step = async (name: string): Promise<void> => {
  say(`step ${name}`)
  if (name === heldAt) await new Promise(() => setInterval(() => {}, 1_000))
}
const { openPhone } = (await import(pathToFileURL(join(process.cwd(), 'pocket-board/phone.mjs')).href)) as {
  openPhone(options: object): Promise<PocketApp>
}

const app = await openPhone({ folder: '.', service, backend, step })
say('step opened')
if (code !== undefined) await app.invite(code)
// The first card needs the board of the service.
if (Object.keys((await app.show()).columns).length === 0) await app.sync()
for (let n = Number(from); n < Number(to); n++) {
  const { commandId } = uuids(n)
  await app.change(commandId, cardOf('phone', n))
  await app.push(String(n))
  await app.sync()
  say(`did ${n}`)
}
say(`shows ${JSON.stringify(await app.show())}`)
await app.close()
