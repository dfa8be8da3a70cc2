/**
 * The packed toolkit, installed by each package manager into an empty folder without network. `make test-deep` tries
 * all package managers and builds with each, and builds every standard profile once. `make test` tries only pnpm,
 * because `toolkit.test.ts` uses npm. `make reach` installs the package managers except npm.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { installed } from '../reach/runtimes/installed.ts'
import { isDeep } from '../support/count.ts'
import { folderWith } from '../support/folder.ts'
import { testDeep, testUnless } from '../support/skip.ts'
import { isPacked, type Rig, rigIn, tarballs } from './rig.ts'

const test = suite('package managers')
const unpacked = isPacked ? undefined : 'make package has not been run'
const [svc, toolkit] = tarballs as readonly [string, string]

/** The largest size of the compressed package, in bytes. Most of it is Node. */
const MAX_BYTES = 60_000_000

/** A package manager, with options that keep it from the network and from folders of the user. */
interface Manager {
  readonly title: string
  readonly absent?: string | undefined
  readonly command: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

const pnpm = installed('@pnpm/exe.linux-x64', 'pnpm')
const yarn1 = installed('yarn', 'bin/yarn.js')
const yarn4 = installed('@yarnpkg/cli-dist', 'bin/yarn.js')

const managers: readonly Manager[] = [
  {
    title: `pnpm ${pnpm.version}`,
    absent: pnpm.absent,
    command: [pnpm.program, 'add', '--offline', '--ignore-scripts', svc, toolkit],
  },
  {
    title: 'npm',
    command: ['npm', 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', svc, toolkit],
    env: { npm_config_update_notifier: 'false' },
  },
  {
    title: `yarn ${yarn1.version}`,
    absent: yarn1.absent,
    command: [process.execPath, yarn1.program, 'add', '--offline', '--ignore-scripts', svc, toolkit],
  },
  {
    title: `yarn ${yarn4.version}`,
    absent: yarn4.absent,
    command: [process.execPath, yarn4.program, 'add', `svc@${svc}`, `svc-toolkit@${toolkit}`],
    env: { YARN_ENABLE_NETWORK: '0', YARN_ENABLE_TELEMETRY: '0', YARN_NODE_LINKER: 'node-modules' },
  },
]

const project = { 'package.json': '{ "name": "mine", "private": true }\n', 'yarn.lock': '' }

/**
 * Installs both packages with a new home folder for the package manager. The home is removed afterwards, because a
 * store contains all files again.
 */
function withInstalled({ command: [program, ...args], env }: Manager, work: (rig: Rig) => void): void {
  const [folder, home] = [folderWith(project), folderWith()]
  try {
    const { status, stdout, stderr } = spawnSync(program!, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, XDG_CACHE_HOME: join(home, 'cache'), ...env },
    })
    assert.is(status, 0, `${stdout}\n${stderr}`)
    work(rigIn(folder))
  } finally {
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
  }
}

testUnless(test, unpacked, `the toolkit is at most ${MAX_BYTES / 1_000_000} MB to download`, () => {
  const { size } = statSync(toolkit)
  assert.ok(size <= MAX_BYTES, `${size} bytes: scripts/build/prove/packages/unread.ts says what is left out`)
})

for (const [index, manager] of managers.entries())
  (index === 0 ? testUnless : testDeep)(
    test,
    unpacked ?? manager.absent,
    `${manager.title} installs both packages, and svc-build starts`,
    () =>
      withInstalled(manager, (rig) => {
        rig.good('init')
        if (!isDeep()) return
        assert.match(rig.good('build', 'edge.ts'), '→ ./dist/edge/')
        rig.good('verify', 'dist/edge')
      }),
  )

testDeep(test, unpacked, 'an installed toolkit builds and verifies every standard profile', () =>
  withInstalled(managers[1]!, (rig) => {
    for (const profile of ['minimal', 'embedded-mobile', 'embedded-native', 'server-full', 'server-cluster']) {
      rig.good('build', profile)
      rig.good('verify', `dist/${profile}`)
    }
  }),
)

testDeep(
  test,
  unpacked ?? yarn4.absent,
  'svc-build under yarn without a node_modules folder names the setting that it needs',
  () => {
    const [folder, home] = [folderWith(project), folderWith()]
    writeFileSync(join(folder, '.yarnrc.yml'), 'enableNetwork: false\nenableTelemetry: false\n')
    const env = { PATH: process.env['PATH'], HOME: home }
    const yarn = (...args: string[]): SpawnSyncReturns<string> =>
      spawnSync(process.execPath, [yarn4.program, ...args], { cwd: folder, encoding: 'utf8', env })
    try {
      assert.is(yarn('add', `svc@${svc}`, `svc-toolkit@${toolkit}`).status, 0)
      const { status, stderr } = yarn('run', 'svc-build', 'init')
      assert.is(status, 78)
      assert.match(stderr, 'nodeLinker: node-modules')
    } finally {
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
    }
  },
)

test.run()
