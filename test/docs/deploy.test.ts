/** The examples of docs/examples/deploy/ are valid for their programs, and name settings that exist. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StatefulSet } from 'kubernetes-models/apps/v1'
import { Service } from 'kubernetes-models/v1'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parse, parseAllDocuments } from 'yaml'
import { distDir, root } from '../../scripts/build/paths.ts'
import { imageOf } from '../e2e/container/dockerfile.ts'
import { testUnless } from '../support/skip.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const deploy = (name: string): string => read(`docs/examples/deploy/${name}`)

test('the manifest for Kubernetes is valid by the schemas of its API', () => {
  const [statefulSet, service, ...more] = parseAllDocuments(deploy('kubernetes.yaml')).map((document) =>
    document.toJS(),
  )
  assert.equal(more, [])
  new StatefulSet(statefulSet).validate()
  new Service(service).validate()
  statefulSet.spec.template.spec.containers[0].readinessProbe.httpGet.port = true
  assert.throws(() => new StatefulSet(statefulSet).validate(), /port/)
})

test('the pod runs as the user of the image, and keeps its state in the volume of the image', () => {
  const image = imageOf(read('Dockerfile'))
  const { spec } = parseAllDocuments(deploy('kubernetes.yaml'))[0]!.toJS()
  const { securityContext, containers } = spec.template.spec
  assert.is(`${securityContext.runAsUser}:${securityContext.runAsGroup}`, image.user)
  assert.equal(
    containers[0].volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath),
    image.volumes,
  )
})

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

/** Variables that are not in the image, because they are secrets. */
const secrets = { SVC_SECURITY__JWT_SECRET: 'a secret of this test, of 32 bytes or more' }

/** The variables of a node in the Compose file, with the secrets of its `.env`. */
function nodeEnvironment(): Record<string, string> {
  const text = deploy('compose.yaml').replaceAll(/\$\{\w+:\?[^}]*\}/g, '0123456789abcdef'.repeat(4))
  return parse(text, { merge: true }).services.one.environment
}

const setUp: Readonly<Record<string, () => Record<string, string>>> = {
  minimal: () => secrets,
  'server-cluster': nodeEnvironment,
  'server-full': () => secrets,
}
for (const [profile, environment] of Object.entries(setUp)) {
  const program = join(distDir(profile), 'svc.mjs')
  const missing = existsSync(program) ? undefined : `${program} has not been built`
  testUnless(test, missing, `${profile} accepts the settings of its image and of the example`, () => {
    const image = imageOf(read('Dockerfile'), { PROFILE: profile })
    const { status, stderr } = spawnSync(process.execPath, [program, 'check-config'], {
      env: { ...image.environment, ...environment() },
      encoding: 'utf8',
    })
    assert.is(status, 0, stderr)
    assert.not.match(stderr, 'warning')
    assert.match(image.base, /^gcr\.io\//, 'the base of the last stage is an image of this Dockerfile')
  })
}

test('the nodes of the compose file are behind its balancer, and refer to declared services and volumes', () => {
  const { services, volumes } = parse(deploy('compose.yaml'), { merge: true })
  const nodes = Object.keys(services).filter((name) => services[name].build !== undefined)
  const upstream = [...deploy('nginx-cluster.conf').matchAll(/server (\w+):8080;/g)].map(([, name]) => name)
  assert.equal(nodes, upstream)
  assert.equal(services.balancer.depends_on, nodes)
  for (const node of nodes) {
    assert.ok(services[node].read_only)
    assert.equal(Object.keys(services[node].depends_on), ['nats', 'postgres'])
    const [volume] = services[node].volumes[0].split(':')
    assert.ok(volume in volumes, volume)
  }
})

test.run()
