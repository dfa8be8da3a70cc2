/**
 * docs/examples/pocket-board over the network: a phone that shares nothing with the service but HTTPS is invited by a
 * code, works offline, pushes, takes the changes of others, and is killed in the middle of everything.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { countOf } from '../../support/count.ts'
import { unless } from '../../support/skip.ts'
import { buildLibrary, checkNothingIsLost, type Phone, type Scene, startScene, titles } from './pocket-rig.ts'
import { begin, cardOf } from './pocket-rounds.ts'
import { unbuilt } from './shipped.ts'

const test = suite('docs/examples/pocket-board over the network')
const packed = existsSync(join(distDir('npm'), 'sign.js')) ? undefined : 'make package has not been run'
const lacking = unbuilt ?? packed
const it = unless(test, lacking)

const node = (args: readonly string[], options: object = {}): Child =>
  startChild(process.execPath, { args: ['--disable-warning=ExperimentalWarning', ...args], ...options })

let library: string
test.before(async () => {
  library = await buildLibrary('native.ts', 'pocket-story')
})

/** A scene with a board and a phone whose user is logged in. */
async function startStory(): Promise<{ readonly scene: Scene; readonly phone: Phone; readonly code: string }> {
  const scene = await startScene(library)
  for (const command of begin) await scene.colleague(command)
  const phone = scene.phone()
  await use(phone, 'login', 'ada', 'analytical')
  return { scene, phone, code: await scene.invite() }
}

async function tryTo(phone: Phone, args: readonly string[], env: object = {}): Promise<{ code: number; out: string }> {
  const child = node(['pocket-board/phone.mjs', ...args], { cwd: phone.folder, env: { ...phone.env, ...env } })
  const { code } = await child.exited
  return { code: code!, out: `${child.out}${child.err}`.trim() }
}

/** What a command of the phone prints. */
async function use(phone: Phone, ...args: readonly string[]): Promise<string> {
  const { code, out } = await tryTo(phone, args)
  assert.is(code, 0, `${args[0]}: ${out}`)
  return out
}

it('a phone enrols by a code, works offline, pushes, and has the board of its colleague', async () => {
  const { scene, phone, code } = await startStory()
  try {
    const wrong = code.slice(0, -1) + (code.endsWith('a') ? 'b' : 'a')
    assert.match((await tryTo(phone, ['enrol', wrong])).out, '403 invitation_invalid')
    await use(phone, 'enrol', code)
    const nowhere = `https://127.0.0.2:${await freePort()}`
    const offline = { SERVICE: nowhere, BACKEND: nowhere }
    const added = await tryTo(phone, ['add', 'Write the notes'], offline)
    assert.is(added.code, 0, added.out)
    const lost = await tryTo(phone, ['sync'], offline)
    assert.is(lost.code, 1)
    assert.match(lost.out, 'ECONNREFUSED')
    assert.match(await use(phone, 'show'), 'To do: Write the notes')
    assert.equal(titles(await scene.board()), [])
    assert.is(await use(phone, 'push'), 'applied_locally, revision 3')
    await scene.colleague(cardOf('colleague', 1))
    await use(phone, 'sync')
    assert.match(await use(phone, 'show'), 'To do: Write the notes, colleague 1')
    const [push, ...more] = await scene.audit('push')
    assert.equal([push!['user'], push!['outcome'], more.length], ['ada', 'ok', 0])
  } finally {
    await scene.stop()
  }
})

/** Starts rounds of the phone. */
const startRounds = ({ folder, env }: Phone, from: number, to: number, code?: string): Child =>
  node([join(import.meta.dirname, 'pocket-child.ts'), String(from), String(to), ...(code ? [code] : [])], {
    cwd: folder,
    env,
  })

const found = ({ out }: Child, pattern: RegExp): string[] => [...out.matchAll(pattern)].map(([, what]) => what!)
const stepsOf = (phone: Child): string[] => found(phone, /^step (.+)$/gm)

it('a push whose board has changed is 409; the phone takes the changes and pushes again', async () => {
  const { scene, phone, code } = await startStory()
  try {
    await use(phone, 'enrol', code)
    const child = startRounds({ ...phone, env: { ...phone.env, HOLD: 'push signed' } }, 0, 1)
    await child.waitFor(/^step push signed$/m, WAIT_MS)
    await child.stop('SIGKILL')
    await scene.colleague(cardOf('colleague', 1))
    const next = startRounds(phone, 0, 1)
    assert.is((await next.exited).code, 0, next.err)
    assert.equal(stepsOf(next), ['opened', 'noted', 'pulled', 'frontier_mismatch', 'push signed', 'push sent'])
    assert.equal(titles(await scene.board()), ['colleague 1', 'phone 0'])
  } finally {
    await scene.stop()
  }
})

const KILLS = countOf({ quick: 5, deep: 200, variable: 'SVC_POCKET_KILLS' })
/** Steps of two rounds, and a pause that is longer than a request, so that a kill hits each step and each request. */
const MOST_STEPS = 14
const LONGEST_PAUSE_MS = 12

/** Kills a phone at a random moment of its rounds, or after the step at which it is held. Returns its last step. */
async function killSomewhere(phone: Child, heldAt?: string): Promise<string> {
  const steps = 1 + Math.floor(Math.random() * MOST_STEPS)
  const reached = heldAt === undefined ? `(?:step [^]*?){${steps}}` : `step ${heldAt}\n`
  await phone.waitFor(new RegExp(reached), WAIT_MS)
  setTimeout(() => phone.kill('SIGKILL'), Math.random() * LONGEST_PAUSE_MS)
  const { signal } = await phone.exited
  assert.is(signal, 'SIGKILL', phone.err)
  return stepsOf(phone).at(-1)!
}

it(`a phone that is killed ${KILLS} times loses nothing, and does nothing twice`, async () => {
  const { scene, phone, code } = await startStory()
  try {
    const [kills, colleagues] = [new Map<string, number>(), [] as number[]]
    let [next, isEnrolled] = [0, false]
    for (let kill = 0; kill < KILLS; kill++) {
      // One push at least is signed and not sent, so that it is refused when the board has changed.
      const heldAt = kill === 1 ? 'push signed' : undefined
      const env = { ...phone.env, ...(heldAt !== undefined && { HOLD: heldAt }) }
      const child = startRounds({ ...phone, env }, next, Number.MAX_SAFE_INTEGER, isEnrolled ? undefined : code)
      const last = await killSomewhere(child, heldAt)
      kills.set(last, (kills.get(last) ?? 0) + 1)
      next += found(child, /^did (\d+)$/gm).length
      isEnrolled ||= stepsOf(child).includes('enrolled')
      if (last !== 'push signed' && kill % 8 > 0) continue
      colleagues.push(kill)
      await scene.colleague(cardOf('colleague', kill))
    }
    const end = startRounds(phone, next, next + 1)
    assert.is((await end.exited).code, 0, end.err)
    const rounds = Array.from({ length: next + 1 }, (_, n) => n)
    await checkNothingIsLost(scene, { rounds, colleagues })
    const board = await scene.board()
    assert.equal(JSON.parse(found(end, /^shows (.+)$/gm)[0]!), board)
    assert.equal(notesOf(phone), ['key', 'session', 'seen', ...rounds.map((n) => `receipt ${n}`)].sort())
    console.log(`killed after ${[...kills].map(([step, count]) => `${step} ${count}`).join(', ')}; ${next} rounds`)
  } finally {
    await scene.stop()
  }
})

function notesOf({ folder }: Phone): readonly string[] {
  const db = new DatabaseSync(join(folder, 'app.db'), { readOnly: true })
  const names = db
    .prepare('SELECT name FROM notes')
    .all()
    .map(({ name }) => name as string)
  db.close()
  return names.sort()
}

test.run()
