/** `make run` prints its progress, and then commands for the service. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../core/declare/errors.ts'
import { readRunningService } from '../../plugins/cli/running-service.ts'
import { storagePath } from '../../plugins/sync/store-sqlite/file-store.ts'
import { buildDir, root } from '../../scripts/build/paths.ts'
import { openRunFolder } from '../../scripts/run/run-folder.ts'
import { type Child, startChild } from '../support/child.ts'
import { folderWith } from '../support/folder.ts'

const test = suite('make run')

const name = `make-run-${process.pid}`
const folder = join(buildDir('run'), name)
const profile = join(
  folderWith({
    'own.ts': `export const profile = { name: '${name}', summary: 'All of it', extends: 'server-full', library: { features: {} } }\n`,
  }),
  'own.ts',
)
const home = folderWith()
const svc = join(folder, 'svc')
// The output folder is one in which packages are found, and not dist/, which other tests read.
const env = { PATH: process.env['PATH'], HOME: home, SVC_DIST: join(buildDir(name), 'dist'), SVC_SERVER__PORT: '0' }
/** The API key that the first start creates and the next start accepts. */
let apiKey = ''
const start = (): Child =>
  startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', join(root, 'scripts/run/cli.ts'), profile],
    env,
  })

test.after(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(buildDir(name), { recursive: true, force: true })
})

test('a folder that is a link, or that others can read, is refused and not written to', () => {
  const base = folderWith({ 'elsewhere/x': '' })
  const open = (profile: string): string => {
    try {
      openRunFolder(profile, 'svc.mjs', [], base)
      return 'opened'
    } catch (error) {
      assert.ok(isSvcError(error, 'ERR_RUN_FOLDER'), String(error))
      return error.message
    }
  }
  symlinkSync(join(base, 'elsewhere'), join(base, 'link'))
  assert.match(open('link'), /link is a link\.$/)
  mkdirSync(join(base, 'open'))
  chmodSync(join(base, 'open'), 0o755)
  assert.match(open('open'), /open has mode 0755\.$/)
  writeFileSync(join(base, 'file'), '')
  assert.match(open('file'), /file is no folder\.$/)
  assert.equal([readdirSync(join(base, 'elsewhere')), readdirSync(join(base, 'open'))], [['x'], []])
  assert.is(open('fresh'), 'opened')
  assert.is(open('fresh'), 'opened')
})

/** Runs a line in a shell whose environment is only PATH and HOME. */
function shell(line: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
  })
  assert.is(status, 0, `${line}\n${stderr}`)
  return stdout
}

/** The lines below "is up", by their first word. */
async function invitationOf(child: Child): Promise<Map<string, string>> {
  await child.waitFor(/^ {2}folder .*$/m, 240_000)
  return new Map(
    [...child.err.matchAll(/^ {2}(address|token|socket|board|console|agent|folder) +(.*)$/gm)].map(([, key, line]) => [
      key!,
      line!,
    ]),
  )
}

/** The lines of `make run` in the README. */
function readmeLines(): [label: string, line: string][] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, shown = ''] =
    /^\$ make run\n…?\n?server-full is up; Ctrl-C stops it\.\n((?: {2}\w+ +.*\n)+)/m.exec(readme) ?? []
  const found = [...shown.matchAll(/^ {2}(\w+) +(.*)$/gm)].map(([, label, line]): [string, string] => [label!, line!])
  assert.is(found.length, 7)
  return found
}

/** Runs the line of the console without a browser, and requests both surfaces through the console. */
async function opens(line: string, address: string): Promise<void> {
  const child = startChild('sh', {
    args: ['-c', `exec env ${line.replace(' --open', '')}`],
    env: { PATH: process.env['PATH'], HOME: home },
    cwd: root,
  })
  try {
    const [entry] = await child.waitFor(/http:\S+/)
    const entered = await fetch(entry, { redirect: 'manual' })
    const at = new URL(entered.headers.get('location')!, entry)
    const cookie = entered.headers.get('set-cookie')!.split(';', 1)[0]!
    const ask = (path: string): Promise<Response> => fetch(new URL(path, at), { headers: { cookie } })
    const { runtime } = (await (await ask('console/session')).json()) as { runtime: { origin: string } }
    assert.is(`${runtime.origin}/readyz`, address)
    assert.is((await ask('runtime/api/svc/runs')).status, 200)
    assert.is((await ask('local/ready')).status, 200)
  } finally {
    await child.stop('SIGINT')
  }
}

test('make run prints each stage on stderr and only the log on stdout, and every printed command works in another shell', async () => {
  const child = start()
  try {
    const lines = await invitationOf(child)
    assert.equal([...lines.keys()], ['address', 'token', 'socket', 'board', 'console', 'agent', 'folder'])
    const stages = [...child.err.matchAll(/: (plan|generate|bundle|prove|start|pack) \d+\.\d s$/gm)].map(
      ([, stage]) => stage,
    )
    assert.equal(stages, ['plan', 'generate', 'bundle', 'prove', 'start', 'pack'])
    assert.is((await fetch(lines.get('address')!)).status, 200)
    for (const [label, line] of readmeLines()) {
      const shown = line.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      const printed = lines
        .get(label)!
        .replaceAll(name, 'server-full')
        .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:8080')
        .replace(/^SVC_SERVER__PORT=\d+ /, '')
      assert.match(printed, new RegExp(`^${shown.join('.*')}$`), `the README shows ${label}`)
    }
    assert.is(shell(lines.get('token')!), '{"runs":[],"next":null}')
    assert.match(shell(lines.get('socket')!), '"status":"ready"')
    assert.is(shell(lines.get('board')!), 'demo\t0 commands\n')
    shell(
      `cd ${home} && ${svc} device keygen --out me.key && ${svc} device enroll --key me.key.pub --scope kbd-control:demo`,
    )
    shell(`${svc} board add --key ${home}/me.key --board Release --columns Doing`)
    assert.match(shell(lines.get('board')!), 'demo')
    // The host of an agent starts this in another folder, without a PATH.
    const { command, args } = JSON.parse(lines.get('agent')!) as { command: string; args: string[] }
    const agent = spawnSync(command, args, { cwd: '/', env: {}, encoding: 'utf8', input: '' })
    assert.equal([agent.status, agent.stdout, agent.stderr], [0, '', ''])
    // Both configurations of the page have this form, with the key of the agent and its name.
    const page = readFileSync(join(root, 'docs/agents.md'), 'utf8')
    const shapes = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text]) => {
      const config = JSON.parse(text!) as Record<string, { board: { command: string; args: string[] } }>
      const { board } = Object.values(config)[0]!
      return [board.command.endsWith('/.build/run/server-full/svc'), board.args.with(2, 'KEY')]
    })
    const printedArgs = [...args.with(2, 'KEY'), '--agent', 'robot']
    assert.equal([command.endsWith(`/.build/run/${name}/svc`), shapes], [true, [1, 2].map(() => [true, printedArgs])])
    const program = `${process.execPath} ${join(env.SVC_DIST, name, 'svc.mjs')}`
    assert.match(shell(`${program} board list`), 'demo', 'found from the folder of the project')
    assert.match(shell(`${program} device list`), 'kbd-control:demo', 'the store is found too')
    const runs = lines.get('address')!.replace('/readyz', '/api/svc/runs')
    const authorization = `Bearer ${shell(`${program} token --sub developer`).trim()}`
    const post = (url: string, body: object): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    assert.is((await post(runs, { run_id: 'first' })).status, 201, 'the secret is found too')
    const made = await post(runs.replace('runs', 'auth/keys'), { name: 'of the first start' })
    apiKey = ((await made.json()) as { key: string }).key
    assert.not.match(shell(`cd ${home} && ${program} board list 2>&1 || true`), 'demo', 'and not from another folder')
    assert.not.match(
      shell(`SVC_SERVER__MODE=all ${program} board list 2>&1 || true`),
      'demo',
      'and not with a setting in the environment',
    )
    await opens(lines.get('console')!, lines.get('address')!)
    chmodSync(join(folder, 'service.json'), 0o644)
    assert.not.match(shell(`${program} board list 2>&1 || true`), 'demo', 'and not if others may read the file')
    chmodSync(join(folder, 'service.json'), 0o600)
    for (const line of child.out.trim().split('\n')) assert.is(typeof JSON.parse(line), 'object', 'only the log')
    assert.not.ok(child.err.includes('\u001b'), 'no colours without a terminal')
    assert.is(
      existsSync(storagePath(join(home, '.local/state/svc'))),
      false,
      'the state folder of the user is not used',
    )

    const second = start()
    assert.is((await second.exited).code, 1)
    assert.match(second.err, new RegExp(`${name} runs already: process \\d+, http://127\\.0\\.0\\.1:\\d+\\n`))
  } finally {
    assert.is((await child.stop()).code, 0, child.err)
  }
})

test('data and tokens of one run are valid in the next, and a note of a dead process does not block a start', async () => {
  const token = shell(`${svc} token --sub developer`).trim()
  const secret = readFileSync(join(folder, 'service.json'), 'utf8')
  assert.is(existsSync(join(folder, 'running.json')), false)
  const program = `${process.execPath} ${join(env.SVC_DIST, name, 'svc.mjs')}`
  assert.not.match(shell(`${program} socket`), folder, 'commands do not use the folder while the service is stopped')
  writeFileSync(join(folder, 'running.json'), JSON.stringify({ pid: process.pid, address: '127.0.0.1:1' }))
  // As if the folder had been moved, and its owner had added a setting.
  const moved = { ...JSON.parse(secret), storage: { dir: '/nowhere' }, logs: { filter: 'info' } } as object
  writeFileSync(join(folder, 'service.json'), JSON.stringify(moved))
  const child = start()
  try {
    const lines = await invitationOf(child)
    const runs = lines.get('address')!.replace('/readyz', '/api/svc/runs')
    assert.is((await fetch(runs, { headers: { authorization: `Bearer ${token}` } })).status, 200)
    const kept = await fetch(`${runs}/first`, { headers: { 'x-api-key': apiKey } })
    assert.is(kept.status, 200, 'an API key and a run of the first start')
    assert.match(shell(lines.get('board')!), 'demo')
    const now = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')) as object
    assert.equal(now, { ...JSON.parse(secret), logs: { filter: 'info' } })
    for (const file of ['service.json', 'running.json'])
      assert.is(statSync(join(folder, file)).mode & 0o777, 0o600, file)
    const { security } = JSON.parse(secret) as { security: { jwt_secret: string } }
    assert.not.ok(`${child.out}${child.err}`.includes(security.jwt_secret), 'the secret is not printed')
  } finally {
    assert.is((await child.stop()).code, 0, child.err)
  }
  for (const note of ['{"pid":1', '{"pid":0,"address":"x"}', '{}']) {
    writeFileSync(join(folder, 'running.json'), note)
    assert.is(readRunningService(join(folder, 'running.json')), undefined, note)
  }
})

test('the installation prints that it runs, and how long it took', () => {
  const rule = /node_modules\/\.installed:.*\n((?:\t.*\n)+)/.exec(readFileSync(join(root, 'Makefile'), 'utf8'))![1]!
  const folder = folderWith({
    Makefile: `stamp:\n${rule}`,
    // A replacement for npm. The real installation is tested by running these tests.
    'bin/npm': '#!/bin/sh\necho noise\n',
  })
  const { stderr, stdout, status } = spawnSync('sh', ['-c', 'chmod +x bin/npm && PATH=$PWD/bin:$PATH make stamp'], {
    cwd: folder,
    encoding: 'utf8',
  })
  assert.is(status, 0, stderr)
  assert.match(stderr, /^install: what package-lock\.json pins\ninstall: \d+ s\n$/)
  assert.not.match(stdout, 'noise')
})

test.run()
