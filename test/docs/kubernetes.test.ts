/**
 * docs/examples/deploy/kubernetes.yaml: the schemas of Kubernetes have each member, the probes ask for routes, and the
 * pod fits the image.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate as validateStatefulSet } from 'kubernetes-models/_schemas/IoK8sApiAppsV1StatefulSet'
import { validate as validateService } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { parseAllDocuments } from 'yaml'
import { root } from '../../scripts/build/paths.ts'
import { imageOf } from '../e2e/container/dockerfile.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const manifest = read('docs/examples/deploy/kubernetes.yaml')
const image = imageOf(read('Dockerfile'))
const { paths } = JSON.parse(read('openapi.json')) as { paths: Readonly<Record<string, { readonly get?: object }>> }

/** A compiled schema: whether a value is valid, and what is wrong with the last one that was not. */
interface Validate {
  (value: unknown): boolean
  errors?: readonly { readonly instancePath: string; readonly keyword: string }[] | null
}

/** The paths of all members of a value. */
function membersOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const own = `${path}/${key}`
    return typeof member === 'object' && member !== null ? [own, ...membersOf(member, own)] : [own]
  })
}

/**
 * Returns the errors of a value, and its members that the schema lacks. The compiled schemas accept any member, but
 * Kubernetes drops unknown members. So a member counts as known only if the compiled schema reads it.
 */
function problemsWith(validate: Validate, value: object): string[] {
  const known = new Set<string>()
  const watch = (part: object, path: string): object =>
    new Proxy(part, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key)
        if (!Object.hasOwn(target, key)) return member
        const own = `${path}/${String(key)}`
        known.add(own)
        return typeof member === 'object' && member !== null ? watch(member, own) : member
      },
    })
  const refused = validate(watch(value, '')) ? [] : (validate.errors ?? [])
  return [
    ...refused.map(({ instancePath, keyword }) => `${instancePath}: ${keyword}`),
    ...membersOf(value)
      .filter((path) => !known.has(path))
      .map((path) => `${path} is not in the schema`),
  ]
}

/** Everything that is wrong with a manifest. */
function problemsOf(text: string): string[] {
  const [statefulSet, service, ...more] = parseAllDocuments(text).map((document) => document.toJS())
  const problems = [...problemsWith(validateStatefulSet, statefulSet), ...problemsWith(validateService, service)]
  const wanted = (holds: boolean, what: string): void => void (holds || problems.push(what))
  const { securityContext: user, containers, ...spec } = statefulSet.spec.template.spec
  const [{ securityContext: rights, ports, volumeMounts, ...container }, ...others] = containers
  wanted(more.length + others.length === 0, 'more than one container, or another object')
  for (const [probe, path] of [
    ['startupProbe', '/health'],
    ['livenessProbe', '/health'],
    ['readinessProbe', '/readyz'],
  ] as const) {
    const asked = container[probe]?.httpGet
    wanted(asked?.path === path && paths[path]?.get !== undefined, `${probe} does not ask for ${path}`)
    wanted(asked?.port === ports[0].name, `${probe} asks at another port`)
  }
  wanted(service.spec.ports[0].targetPort === ports[0].name, 'the service leads to another port')
  wanted(`${user.runAsUser}:${user.runAsGroup}` === image.user, 'not the user of the image')
  wanted(user.fsGroup === user.runAsGroup && user.runAsNonRoot === true, 'the volume is not that of the user')
  wanted(rights?.readOnlyRootFilesystem === true, 'the root file system can be written')
  wanted(rights?.allowPrivilegeEscalation === false, 'a process may get more rights')
  wanted(rights?.capabilities?.drop?.join() === 'ALL', 'capabilities are left')
  const mounts = volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
  wanted(mounts.join() === image.volumes.join(), 'not the volume of the image')
  wanted(spec.terminationGracePeriodSeconds > 10, 'it is killed before server.shutdown_grace_ms is over')
  return problems
}

test('the manifest has no member that Kubernetes lacks, three probes, and the user and the volume of the image', () => {
  assert.equal(problemsOf(manifest), [])
})

test('a misspelt member, a missing or wrong probe, and a writable root file system are reported', () => {
  const container = '/spec/template/spec/containers/0'
  const liveness = /\n {10}livenessProbe:\n(?: {12}.*\n)+/.exec(manifest)?.[0] ?? ''
  for (const [text, by, problem] of [
    ['readinessProbe:', 'readinesProbe:', `${container}/readinesProbe is not in the schema`],
    ['{ path: /readyz', '{ paht: /readyz', `${container}/readinessProbe/httpGet/paht is not in the schema`],
    [
      'secretKeyRef: { name:',
      'secretKeyRef: { nam:',
      `${container}/env/0/valueFrom/secretKeyRef/nam is not in the schema`,
    ],
    [
      'port: http }\n            periodSeconds: 10',
      'port: true }\n            periodSeconds: 10',
      'livenessProbe asks at another port',
    ],
    [liveness, '\n', 'livenessProbe does not ask for /health'],
    ['/readyz', '/nowhere', 'readinessProbe does not ask for /readyz'],
    ['readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false', 'the root file system can be written'],
    ['replicas: 1', 'replicas: one', '/spec/replicas: type'],
    ['targetPort: http', 'targetPort: web', 'the service leads to another port'],
  ] as const) {
    assert.is(manifest.split(text).length, 2, `${text} is there once`)
    const problems = problemsOf(manifest.replace(text, by))
    assert.ok(problems.includes(problem), `${by}: ${problems.join('; ')}`)
  }
})

test.run()
