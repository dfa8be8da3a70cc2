/** A build reads a user's modules in a process that cannot write files or start processes. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/declare/errors.ts'
import { readModule } from '../../scripts/build/modules/read-module.ts'
import { loadProfile } from '../../scripts/build/plan/load-profile.ts'
import { plan } from '../../scripts/build/plan/plan.ts'
import { featureText } from '../support/feature-text.ts'
import { folderWith } from '../support/folder.ts'
import { ownProfile } from '../support/own-profile.ts'
import { refusal } from '../support/refusal.ts'

const test = suite('read-module')

test('a profile and a feature cannot write files while they are read', async () => {
  const marker = join(folderWith(), 'written')
  const harm = `import { writeFileSync } from 'node:fs'
try { writeFileSync('${marker}', 'x') } catch {}
`
  const file = ownProfile({
    name: `reads-${process.pid}`,
    change: (text) => harm + text,
    feature: featureText({ id: 'edge.quote', head: harm, does: 'setup() {},' }),
  })
  const planned = await plan(file)
  assert.ok(planned.targets[0]!.features.some(({ id, plugin }) => id === 'edge.quote' && plugin?.name === 'edge.quote'))
  assert.is(existsSync(marker), false)
})

test('a module cannot start a process or a thread, or read the environment, while it is read', async () => {
  process.env['SVC_READ_MODULE_TEST'] = 'a secret'
  const folder = folderWith({
    'm.ts': `import { execFileSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
const tried = (run: () => unknown) => { try { run(); return 'done' } catch (error) { return (error as { code: string }).code } }
export const started = tried(() => execFileSync('true'))
export const threaded = tried(() => new Worker('1', { eval: true }))
export const seen = process.env['SVC_READ_MODULE_TEST']
`,
  })
  assert.equal(await readModule(join(folder, 'm.ts')), {
    started: 'ERR_ACCESS_DENIED',
    threaded: 'ERR_ACCESS_DENIED',
    seen: undefined,
  })
})

test('the modules of a feature are read from its literal imports, and a computed module name is refused', async () => {
  const withCommands = (ref: string): string =>
    ownProfile({
      name: `reads-${process.pid}`,
      about: `commands: ${ref}`,
      files: { 'quote/commands.ts': 'export const commands = []\n' },
    })
  const file = withCommands("() => import('./commands.ts')")
  const quote = (await plan(file)).targets[0]!.features.find(({ id }) => id === 'edge.quote')!
  assert.is(quote.module, join(dirname(file), 'quote/feature.ts'))
  assert.is(quote.feature.folder, join(dirname(file), 'quote'))
  assert.is(quote.feature.commands, join(dirname(file), 'quote/commands.ts'))
  const { code, message } = await refusal(withCommands("() => import(['./commands', 'ts'].join('.'))"))
  assert.is(code, 'ERR_PROFILE_INVALID')
  assert.match(message, ', which is no literal import')
})

test('a feature that fails under these restrictions is refused with the reason', async () => {
  const file = ownProfile({
    name: `reads-${process.pid}`,
    feature: "import { writeFileSync } from 'node:fs'\nwriteFileSync('x', 'x')\nexport const feature = {}\n",
  })
  const { code, message } = await refusal(file)
  assert.is(code, 'ERR_FEATURE_MODULE')
  assert.match(message, /quote\/feature\.ts cannot be loaded: .*restricted/)
  assert.match(message, 'by a process that may neither write nor start another')
})

test('a profile that ends its process is refused', async () => {
  const folder = folderWith({ 'profile.ts': 'process.exit(0)' })
  try {
    await loadProfile(join(folder, 'profile.ts'))
    assert.unreachable()
  } catch (error) {
    assert.ok(isSvcError(error, 'ERR_PROFILE_INVALID'), String(error))
    assert.match(error.message, /it ended the process that loaded it \((?:exit code \d+|SIG\w+)\)/)
  }
})

test('data is read unchanged, and functions cannot be called', async () => {
  const folder = folderWith({
    'm.mjs': `const loop = { a: 1 }
loop.self = loop
export const value = { n: Infinity, list: [1, { b: /x/ }], run() {}, loop, u: undefined }
export default () => {}
`,
  })
  const { value, default: own } = (await readModule(join(folder, 'm.mjs'))) as {
    value: { n: number; list: unknown[]; run: () => void; loop: unknown }
    default: () => void
  }
  assert.is(value.n, Number.POSITIVE_INFINITY)
  assert.equal(value.list, [1, { b: /x/ }])
  assert.equal(value.loop, { a: 1, self: undefined })
  assert.throws(() => value.run(), /only read/)
  assert.throws(own, /only read/)
})

test.run()
