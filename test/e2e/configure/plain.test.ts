/** `npx svc-build configure` as a dialogue in lines, and on a terminal. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startChild } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { command, createConfigured, PATIENCE_MS } from './rig.ts'

const test = suite('svc-build configure in a terminal')

test('a script chooses features in lines, looks at the difference, and saves a profile that a build plans', async () => {
  const rig = createConfigured('configured-plain')
  const before = rig.text()
  const child = rig.start()
  child.write('on telemetry.metrics\non no.such\nvariant telemetry.metrics x\nfly\nshow edge.quote\noff edge.greeter\n')
  await child.waitFor(/off: edge\.greeter \(library, program\)/, PATIENCE_MS)
  assert.match(child.out, /^on: telemetry\.metrics \(program\)$/m)
  assert.match(child.out, /^refused: There is no feature "no\.such"\./m)
  assert.match(child.out, /^refused: telemetry\.metrics has no variant "x"\. It has no variants\.$/m)
  assert.match(child.out, /^There is no command "fly"\./m)
  assert.match(child.out, /^edge\.quote: A quote$/m)
  assert.match(child.out, /^routes: runtime GET \/edge\/quote$/m)
  child.write('save\nno\n')
  await child.waitFor(/^not saved$/m, PATIENCE_MS)
  assert.is(rig.text(), before)
  // The profile is measured now, and its choice has not changed, so saving needs no bundle.
  child.write('size\nsave\nyes\nquit\n')
  assert.is((await child.exited).code, 0, child.err)
  assert.match(child.out, /^index\.mjs: library \(web, 14 features\): [\d.]+ KiB, [\d.]+ KiB gzip; measured: /m)
  assert.match(child.out, /^\+ {3}main: \{ features: \{ 'telemetry\.logs': false, 'telemetry\.metrics': true \} \},$/m)
  const text = rig.text()
  assert.match(text, /^\/\/ A profile with a comment\.$/m)
  assert.match(text, /library: \{ features: \{ 'edge\.quote': true, 'telemetry\.logs': false \} \},/)
  assert.match(text, /'node:v8'/, 'the built-ins that the feature needs are allowed')
  const { library, main } = await rig.planned()
  assert.ok(main!.includes('telemetry.metrics') && !library!.includes('telemetry.metrics'))
  assert.ok(library!.includes('edge.quote') && !library!.includes('edge.greeter'))
  assert.equal(
    readdirSync(rig.folder).filter((name) => /\d/.test(name)),
    [],
    'no copy is left behind',
  )
})

test('conflicts are named, and changes that are not saved are asked about and give exit code 1', async () => {
  const rig = createConfigured('configured-conflict')
  const before = rig.text()
  const child = rig.start('--plain')
  child.write(
    'on auth.keys-sqlite\non cluster.postgres\nconflicts\nsave\nno\nquit\nno\nundo\nlist postgres\nquit\nyes\n',
  )
  assert.is((await child.exited).code, 1, child.err)
  assert.match(child.out, /^ERR_FEATURE_CONFLICT: auth\.keys-sqlite conflicts with cluster\.postgres/m)
  assert.match(child.out, /^note: A build will refuse this\. ERR_FEATURE_CONFLICT/m)
  assert.match(child.out, /^There are changes that are not saved\. End all the same\? yes or no$/m)
  assert.match(child.out, /^cluster\.postgres: off, /m)
  assert.is(rig.text(), before)
})

test('a file that is not understood or that changed meanwhile is not written', async () => {
  const computed = createConfigured('configured-computed')
  const spread = computed
    .text()
    .replace("'telemetry.logs': false } },\n  main", "'telemetry.logs': Number('0') > 1 } },\n  main")
  computed.write(spread)
  const child = computed.start()
  child.write('on telemetry.logs\nsave\nquit\nyes\n')
  assert.is((await child.exited).code, 1, child.err)
  assert.match(
    child.out,
    /^The lists of edge\.ts are not plain lists, so this cannot change them\. Write this into the file:$/m,
  )
  assert.match(child.out, /"edge\.quote": true/)
  assert.is(computed.text(), spread)

  const rig = createConfigured('configured-raced')
  const raced = rig.start()
  raced.write('off edge.greeter\nsave\n')
  await raced.waitFor(/^Write edge\.ts\? yes or no$/m, PATIENCE_MS)
  const other = `${rig.text()}// Somebody else.\n`
  rig.write(other)
  raced.write('yes\nquit\nyes\n')
  assert.is((await raced.exited).code, 1, raced.err)
  assert.match(raced.out, /refused: .* has changed since it was opened here, and nothing was written\./)
  assert.is(rig.text(), other)
})

test('wrong names and options are refused with what to do', () => {
  const { folder } = createConfigured('configured-wrong')
  const run = (...args: readonly string[]) =>
    spawnSync(process.execPath, [...command, ...args], { cwd: folder, encoding: 'utf8', input: '' })
  const ours = run('minimal')
  assert.is(ours.status, 78)
  assert.match(ours.stderr, /svc-build configure edge\.ts --from minimal/)
  assert.is(run('--page', '--plain').status, 64)
  const json = run('edge.ts', '--json')
  assert.is(json.status, 0, json.stderr)
  const { isSaved, features, conflicts } = JSON.parse(json.stdout) as Record<string, unknown> & {
    features: { id: string }[]
  }
  assert.equal([isSaved, conflicts], [true, []])
  assert.ok(features.some(({ id }) => id === 'edge.quote'))
  assert.is(run('new.ts', '--from', 'none-such').status, 78)
  assert.is(run('Wrong Name.ts').status, 78)
})

/** A shell line that prints the modes of a terminal of 80 columns before and after the command, and its exit code. */
function onTerminal(file: string): string {
  const words = [process.execPath, ...command, file].map((word) => `'${word}'`).join(' ')
  return `stty cols 80 rows 24; stty -g; ${words}; echo code $?; stty -g`
}

const noScript = hasProgram('script') ? undefined : 'script(1) is not installed'

testUnless(
  test,
  noScript,
  'on a terminal of 80 columns keys choose and save, and the terminal is as before',
  async () => {
    const rig = createConfigured('configured-keys')
    const line = onTerminal(rig.file)
    const env = { ...process.env, TERM: 'xterm', NO_COLOR: '1', SHELL: '/bin/sh' }
    const child = startChild('script', { args: ['-qfec', line, '/dev/null'], cwd: rig.folder, env, hasInput: true })
    await child.waitFor(/\u001b\[\?1049h/, PATIENCE_MS)
    await child.waitFor(/svc-build configure edge\.ts {2}/)
    child.write('/greeter\r')
    await child.waitFor(/> \[\*\] edge\.greeter/)
    child.write(' ')
    await child.waitFor(/off: edge\.greeter \(library, program\)/)
    await child.waitFor(/> \[ \] edge\.greeter/)
    child.write('q')
    await child.waitFor(/The changes are not saved\./)
    child.write('s')
    await child.waitFor(/y: write this/, PATIENCE_MS)
    child.write('y')
    await child.waitFor(/saved edge\.ts/)
    child.write('q')
    await child.waitFor(/code 0/)
    await child.exited
    assert.match(child.out, /\u001b\[\?25h\u001b\[\?1049l/)
    const [before, after] = child.out.match(/^[0-9a-f]+(?::[0-9a-f]+){10,}/gm)!
    assert.is(after, before, 'the modes of the terminal')
    assert.ok(!(await rig.planned())['library']!.includes('edge.greeter'))
  },
)

testUnless(test, noScript, 'a signal and Ctrl-C leave the terminal as before, and write nothing', async () => {
  const rig = createConfigured('configured-signal')
  const text = rig.text()
  const run = onTerminal(rig.file)
  for (const end of ['SIGTERM', 'ctrl-c'] as const) {
    const env = { ...process.env, TERM: 'xterm', NO_COLOR: '1', SHELL: '/bin/sh' }
    const child = startChild('script', { args: ['-qfec', run, '/dev/null'], cwd: rig.folder, env, hasInput: true })
    await child.waitFor(/svc-build configure edge\.ts {2}/, PATIENCE_MS)
    child.write(' ')
    await child.waitFor(/\(not saved\)/)
    if (end === 'ctrl-c') child.write('\u0003')
    else process.kill(configureIn(child.pid), 'SIGTERM')
    const [, code] = await child.waitFor(/code (\d+)/)
    assert.is(code, end === 'ctrl-c' ? '1' : '143')
    await child.exited
    assert.match(child.out, /\u001b\[\?25h\u001b\[\?1049l/, end)
    const [before, after] = child.out.match(/^[0-9a-f]+(?::[0-9a-f]+){10,}/gm)!
    assert.is(after, before, end)
    assert.is(rig.text(), text)
  }
})

/** The process of the command below `script`. */
function configureIn(pid: number): number {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const rows = stdout.split('\n').map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row) ?? [])
  const below = new Set([String(pid)])
  for (const [, own, parent] of rows) if (own !== undefined && below.has(parent!)) below.add(own)
  const found = rows.find(
    ([, own, , args]) => own !== undefined && below.has(own) && args!.startsWith(process.execPath),
  )
  assert.ok(found, stdout)
  return Number(found[1])
}

test.run()
