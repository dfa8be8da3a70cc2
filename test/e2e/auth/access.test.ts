/** Asks for every cell of the tables of docs/authentication.md on what ships, and compares it with the page. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Target } from '../../../core/testing/contract.ts'
import { root } from '../../../scripts/build/paths.ts'
import { plan } from '../../../scripts/build/plan/plan.ts'
import { freePort } from '../../../scripts/free-port.ts'
import {
  type AccessRow,
  accessRows,
  type Cell,
  callers,
  rowLine,
  rowName,
  type Who,
} from '../../../scripts/renew/access-table.ts'
import { type Form, formsOf, type Started } from '../../conformance/forms.ts'
import { httpTarget } from '../../conformance/http-target.ts'
import { folderWith } from '../../support/folder.ts'
import { skip } from '../../support/skip.ts'
import { type Credentials, cellSeen, createCredentials, type Headers } from './access-rig.ts'

const TOKEN = 'the-token-of-the-owner-over-loopback'
const page = readFileSync(join(root, 'docs/authentication.md'), 'utf8').split('\n')

/** Services of one form with the three settings that the columns need. */
interface Services {
  seen(row: AccessRow, who: Who): Promise<Cell>
  stop(): Promise<void>
}

interface Opened {
  readonly started: Started
  readonly credentials: Credentials
  readonly tcp: Target | undefined
}

async function open(form: Form, given: Readonly<Record<string, unknown>>): Promise<Opened> {
  const hasLocal = form.target.form === 'main' && has(form, 'sync.tcp')
  const port = await freePort()
  const tokenFile = join(folderWith(), 'token')
  writeFileSync(tokenFile, TOKEN, { mode: 0o600 })
  const started = await form.start!({
    'realtime.topics': ['notes'],
    // Nobody listens there: whether the caller may call the agent is decided before.
    ...(has(form, 'realtime.agents') && { 'realtime.agents': { echo: { url: 'http://127.0.0.1:9/' } } }),
    'security.max_keys_in_the_making': 64,
    // Who may call what does not depend on the cost of a hash, and each service makes and verifies dozens of keys.
    'security.argon2_memory_kib': 8,
    'security.argon2_iterations': 1,
    ...(has(form, 'sync.remote') && { 'sync.remote': true }),
    ...(hasLocal && { 'sync.tcp': `127.0.0.1:${port}`, 'sync.token_file': tokenFile }),
    ...given,
  })
  return {
    started,
    credentials: createCredentials(started.on('runtime')!),
    tcp: hasLocal ? httpTarget({ port }, () => '') : undefined,
  }
}

async function startServices(form: Form): Promise<Services> {
  const on = { 'security.delegation': true }
  const [usual, undelegated, lenient] = await Promise.all([
    open(form, on),
    open(form, {}),
    open(form, { ...on, 'security.jwt_required': false }),
  ])
  const credentialsOf = async (who: Who, row: AccessRow, { credentials }: Opened): Promise<readonly Headers[]> => {
    if (who.over === undefined) return credentials(who, row)
    return [who.over === 'tcp' && who.credential === 'owner' ? { authorization: `Bearer ${TOKEN}` } : {}]
  }
  return {
    async seen(row, who) {
      const opened = who.undelegated ? undelegated : who.credential === 'anonymous' ? lenient : usual
      const { started, tcp } = opened
      const target = who.over === 'tcp' ? tcp : started.on(who.over === 'socket' ? 'local' : 'runtime')
      assert.ok(target)
      const cells = new Set<Cell>()
      for (const headers of await credentialsOf(who, row, opened)) cells.add(await cellSeen(target, row, headers))
      assert.is(cells.size, 1, `${rowName(row)}, ${who.title}: a token and a key get different answers`)
      return [...cells][0]!
    },
    stop: async () => void (await Promise.all([usual, undelegated, lenient].map(({ started }) => started.stop()))),
  }
}

function has({ target }: Form, setting: string): boolean {
  return target.manifest.settings.includes(setting)
}

/** The line of the page, with the cells of callers whom the form cannot have. */
function lineOf(row: AccessRow): { readonly line: string; readonly cells: readonly Cell[] } {
  const line = page.find((one) => one.startsWith(`| ${rowName(row)} |`) && isIn(row.route.surface, one))
  assert.ok(line !== undefined, `docs/authentication.md has no row ${rowName(row)}: make renew`)
  const cells = line.slice(2, -2).split(' | ')
  return { line, cells: cells.slice(-callers[row.route.surface as 'runtime' | 'local'].length) as Cell[] }
}

/** Whether a line is in the table of a surface; both have `GET /health`. */
function isIn(surface: string, line: string): boolean {
  return page.indexOf(line) < page.indexOf('<!-- /access -->') === (surface === 'runtime')
}

function addForm(form: Form): void {
  const test = suite(`who may call what, ${form.name}`)
  let services: Services | undefined
  test.before(async () => {
    services = await startServices(form)
  })
  test.after(async () => {
    await services?.stop()
    await form.end?.()
  })
  const hasLocal = form.target.form === 'main' && has(form, 'sync.tcp')
  for (const surface of hasLocal ? (['runtime', 'local'] as const) : (['runtime'] as const))
    test(`every cell of the ${surface} surface is as docs/authentication.md says`, async () => {
      const routes = new Set(
        form.target.manifest.routes.map((route) => `${route.surface} ${route.method} ${route.path}`),
      )
      const rows = (await accessRows(surface)).filter(({ route }) =>
        routes.has(`${surface} ${route.method} ${route.path}`),
      )
      assert.ok(rows.length > 10)
      const wrong: string[] = []
      for (const row of rows) {
        const { line, cells } = lineOf(row)
        const seen: Cell[] = []
        for (const [index, who] of callers[surface].entries())
          seen.push(who.over === undefined || hasLocal ? await services!.seen(row, who) : cells[index]!)
        if (rowLine(row, seen) !== line) wrong.push(`page: ${line}\nseen: ${rowLine(row, seen)}`)
      }
      assert.is(wrong.join('\n'), '')
    })
  test.run()
}

for (const [profile, names] of [
  ['server-full', ['server uws', 'server node', 'library']],
  ['minimal', ['library']],
] as const) {
  const forms = formsOf(await plan(profile)).filter(({ name }) => names.some((one) => one === name))
  for (const form of forms)
    if (form.skip === undefined) addForm({ ...form, name: `${profile}, ${form.name}` })
    else {
      const test = suite(`${profile}, ${form.name}`)
      skip(test, 'who may call what', form.skip)
      test.run()
    }
}
