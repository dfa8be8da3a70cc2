/** The examples of docs/examples/deploy/ are valid for their programs, and name settings that exist. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { profile as clusterProfile } from '../../profiles/server-cluster.ts'
import { distDir, root } from '../../scripts/build/paths.ts'
import { imageOf } from '../e2e/container/dockerfile.ts'
import { folderWith } from '../support/folder.ts'
import { commandsNotRun } from '../support/page-commands/not-run.ts'
import { testUnless } from '../support/skip.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const deploy = (name: string): string => read(`docs/examples/deploy/${name}`)

test('every setting that the examples name exists', () => {
  const known = read('docs/settings.md')
  const texts = [read('Dockerfile'), deploy('compose.yaml'), deploy('kubernetes.yaml')]
  const named = new Set(texts.flatMap((text) => [...text.matchAll(/\bSVC_[A-Z_]+__[A-Z_]+/g)].map(([name]) => name)))
  assert.ok(named.size > 5)
  assert.equal(
    [...named].filter((name) => !known.includes(`\`${name}\``)),
    [],
  )
})

/** Variables that the image does not contain, because they are secrets. */
const secrets = { SVC_SECURITY__JWT_SECRET: 'a secret of this test, of 32 bytes or more' }

/** The variables of a node in the Compose file, with the secrets of its `.env`. */
function nodeEnvironment(): Record<string, string> {
  const text = deploy('compose.yaml').replaceAll(/\$\{\w+:\?[^}]*\}/g, '0123456789abcdef'.repeat(4))
  return parse(text, { merge: true }).services.one.environment
}

const environments: Readonly<Record<string, () => Record<string, string>>> = {
  minimal: () => secrets,
  'server-cluster': nodeEnvironment,
  'server-full': () => secrets,
}
for (const [profile, environment] of Object.entries(environments)) {
  const program = join(distDir(profile), 'svc.mjs')
  const missing = existsSync(program) ? undefined : `${program} has not been built`
  testUnless(test, missing, `${profile} accepts the settings of its image and of the example`, () => {
    const image = imageOf(read('Dockerfile'), { PROFILE: profile })
    const { status, stderr } = spawnSync(process.execPath, [program, 'check-config', '--settings-only'], {
      env: { ...image.environment, ...environment() },
      encoding: 'utf8',
    })
    assert.is(status, 0, stderr)
    assert.not.match(stderr, 'warning')
    assert.match(image.base, /^gcr\.io\//, 'the base of the last stage is an image of this Dockerfile')
  })
}

const compose = parse(deploy('compose.yaml'), { merge: true })

test('the nodes of the compose file are behind its balancer, and refer to declared services and volumes', () => {
  const { services, volumes } = compose
  const nodes = Object.keys(services).filter((name) => services[name].build !== undefined)
  const upstream = [...deploy('nginx-cluster.conf').matchAll(/server (\w+):8080;/g)].map(([, name]) => name)
  assert.equal(nodes, upstream)
  assert.equal(services.balancer.depends_on, nodes)
  for (const node of nodes) {
    assert.ok(services[node].read_only)
    assert.is(services[node].build.args.PROFILE, clusterProfile.name)
    assert.ok(existsSync(join(root, 'docs/examples/deploy', services[node].build.context, 'Dockerfile')))
    assert.equal(Object.keys(services[node].depends_on), ['nats', 'postgres'])
    const [volume] = services[node].volumes[0].split(':')
    assert.ok(volume in volumes, volume)
  }
})

test('the nodes of the compose file trust its network, and wait until its engines are healthy', () => {
  const { services, networks } = compose
  const [{ subnet }] = networks.default.ipam.config
  const { one, nats, postgres, balancer } = services
  assert.is(one.environment.SVC_SERVER__TRUSTED_PROXIES, subnet)
  for (const [engine, { condition }] of Object.entries<{ condition: string }>(one.depends_on)) {
    assert.is(condition, 'service_healthy')
    assert.is(services[engine].healthcheck.test[0], 'CMD', engine)
  }
  const monitored = `http://127.0.0.1:${nats.command[nats.command.indexOf('--http_port') + 1]}/healthz`
  assert.is(nats.healthcheck.test.at(-1), monitored)
  const { POSTGRES_USER, POSTGRES_DB } = postgres.environment
  assert.equal(postgres.healthcheck.test, ['CMD', 'pg_isready', '-U', POSTGRES_USER])
  const url = new URL(one.environment.SVC_CLUSTER__POSTGRES_URL.replace(/\$\{[^}]+\}/, 'password'))
  assert.equal([url.username, url.hostname, url.pathname], [POSTGRES_USER, 'postgres', `/${POSTGRES_DB}`])
  assert.is(new URL(one.environment.SVC_CLUSTER__NATS_URL).hostname, 'nats')
  assert.match(balancer.volumes[0], /^\.\/nginx-cluster\.conf:\/etc\/nginx\/conf\.d\/default\.conf:ro$/)
  const [, listened] = /listen (\d+);/.exec(deploy('nginx-cluster.conf'))!
  assert.is(balancer.ports[0].split(':')[1], listened)
})

const withoutNginx = spawnSync('nginx', ['-v']).error === undefined ? undefined : 'nginx is not installed'

testUnless(test, withoutNginx, 'nginx reads the balancer of the compose file', () => {
  // The names of the nodes resolve only in the network of the compose file.
  const recipe = deploy('nginx-cluster.conf').replaceAll(/server \w+:8080/g, 'server 127.0.0.1:8080')
  const check = (text: string): { status: number | null; stderr: string } => {
    const folder = folderWith({ 'svc.conf': text })
    const main = join(folder, 'nginx.conf')
    writeFileSync(main, `pid ${folder}/pid; events {} http { access_log off; include svc.conf; }`)
    return spawnSync('nginx', ['-t', '-p', folder, '-c', main, '-e', 'stderr'], { encoding: 'utf8' })
  }
  const { status, stderr } = check(recipe)
  assert.is(status, 0, stderr)
  assert.match(check(recipe.replace('proxy_buffering', 'proxy_bufering')).stderr, 'unknown directive "proxy_bufering"')
})

/** Runs commands in a folder, with a substitute for Docker. Returns the arguments of each call of Docker. */
function runWithoutDocker(commands: readonly string[], cwd: string): string[][] {
  const folder = folderWith({ docker: `#!/bin/sh\nprintf '%s\\0' "$@" >> "$CALLS"; printf '\\n\\0' >> "$CALLS"\n` })
  chmodSync(join(folder, 'docker'), 0o755)
  const calls = join(folder, 'calls')
  const env = { HOME: folder, PATH: `${folder}:${process.env['PATH']}`, CALLS: calls }
  const script = ['set -e', ...commands].join('\n')
  const { status, stderr } = spawnSync('sh', ['-c', script], { cwd, env, encoding: 'utf8' })
  assert.is(status, 0, stderr)
  return readFileSync(calls, 'utf8')
    .split('\n\0')
    .filter((call) => call !== '')
    .map((call) => call.split('\0').slice(0, -1))
}

/** The values of an option. */
const valuesOf = (name: string, words: readonly string[]): string[] => words.filter((_, at) => words[at - 1] === name)

test('the docker commands of docs/containers.md use the arguments, the port and the volume of the Dockerfile', () => {
  const dockerfile = read('Dockerfile')
  const [build, run, ...more] = runWithoutDocker(commandsNotRun('docs/containers.md', 'docker build'), root) as [
    string[],
    string[],
  ]
  assert.equal([more, build[0], run[0]], [[], 'build', 'run'])
  for (const pair of valuesOf('--build-arg', build)) assert.match(dockerfile, `\nARG ${pair.split('=')[0]}=`)
  assert.is(build.at(-1), '.', 'the context is the folder of the Dockerfile')
  assert.equal(valuesOf('--tag', build), [run.at(-1)])
  const image = imageOf(dockerfile)
  assert.equal(
    valuesOf('--volume', run).map((volume) => volume.split(':')[1]),
    image.volumes,
  )
  const [, exposed] = /\nEXPOSE (\d+)/.exec(dockerfile)!
  assert.equal(valuesOf('--publish', run), [`8080:${exposed}`])
  assert.match(valuesOf('--env', run).join(), /^SVC_SECURITY__JWT_SECRET=[0-9a-f]{64}$/)
  const own = [
    '--tag',
    '--build-arg',
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--volume',
    '--publish',
    '--env',
  ]
  assert.equal(
    [...build, ...run].filter((word) => word.startsWith('--') && !own.includes(word)),
    [],
  )
})

test('the commands of docs/containers.md start compose beside its file, with the secrets that it needs', () => {
  const folder = folderWith({ 'docs/examples/deploy/compose.yaml': deploy('compose.yaml') })
  assert.equal(runWithoutDocker(commandsNotRun('docs/containers.md', 'cd docs/examples/deploy'), folder), [
    ['compose', 'up', '--build'],
  ])
  const secrets = readFileSync(join(folder, 'docs/examples/deploy/.env'), 'utf8').trim().split('\n')
  const asked = [...deploy('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!)
  assert.equal(secrets.map((line) => line.split('=')[0]).sort(), [...new Set(asked)].sort())
  for (const line of secrets) assert.match(line, /=[0-9a-f]{64}$/)
})

test.run()
