import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { pathSettings } from '../../../core/kernel/settings/paths.ts'
import { modeSetting, serverSettings } from '../../../core/kernel/settings/server.ts'
import { defineName } from '../../../scripts/build/plan/defines.ts'
import { matrixFeatures } from '../../../scripts/build/plan/locate-feature.ts'
import { planVariants } from '../../../scripts/build/plan/plan-feature.ts'
import { TS } from '../../../scripts/build/typescript.ts'
import { nodesOf, textsOf } from '../sources.ts'

export const test: Test = suite('names in the core')

/**
 * Names that belong to the core as well: its own settings, the settings that plugins of several families read (the
 * state folder, and which surfaces are served), and the title of the body with which both surfaces answer a readiness
 * probe.
 */
const shared: ReadonlySet<string> = new Set(
  [serverSettings, pathSettings, modeSetting].flatMap((settings) => Object.keys(settings)).concat('Readiness'),
)

/** The capabilities of logs, metrics and traces, which the core declares because every family uses them. */
const ofCore: readonly string[] = ['LogSink', 'MetricSink', 'Tracing']

/** All names of features: ids, defines, routes, settings and capabilities, each with the id of its feature. */
async function namesOfPlugins(): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const [id, feature] of Object.entries(matrixFeatures)) {
    const { open = [], exports = {} } = feature
    const loaded = planVariants(id, feature).flatMap(({ plugin }) => plugin ?? [])
    const brings = loaded.flatMap(({ routes = [], settings = {}, provides = [] }) => [
      ...routes.flatMap(({ path, exposes = [] }) => [path, ...exposes]),
      ...Object.keys(settings),
      ...provides.filter((name) => !ofCore.includes(name)),
    ])
    for (const name of [id, defineName(id), ...open, ...Object.keys(exports), ...brings]) names.set(name, id)
  }
  for (const name of shared) names.delete(name)
  return names
}

/**
 * The string literals and identifiers of a source. Comments do not count, because they may name a feature as an
 * example.
 */
function wordsOf(file: string, text: string): string[] {
  return nodesOf(file, text).flatMap((node) =>
    TS.isStringLiteralLike(node) ||
    TS.isIdentifier(node) ||
    TS.isTemplateHead(node) ||
    TS.isTemplateMiddleOrTemplateTail(node)
      ? [node.text]
      : [],
  )
}

function found(file: string, text: string, names: ReadonlyMap<string, string>): string[] {
  return wordsOf(file, text).filter((word) => names.has(word))
}

test('the core has no word for a feature, its define, its paths, its headers, its settings or its capabilities', async () => {
  const names = await namesOfPlugins()
  for (const [file, text] of textsOf('core/**/*.ts')) {
    assert.equal(found(file, text, names), [], file)
    assert.not.match(text, /plugins\/[a-z]/, file)
  }
})

test('the names of real features are known, and are found in a text', async () => {
  const names = await namesOfPlugins()
  for (const [name, id] of [
    ['/metrics', 'telemetry.metrics'],
    ['sync.socket_path', 'transport.unix'],
    ['server.port', 'transport.uws'],
    ['__CLI__', 'cli'],
    ['createRuntime', 'transport.fetch'],
    ['svc-last-event-id', 'realtime.runs'],
    ['Telemetry', 'telemetry.metrics'],
  ]) {
    assert.ok(names.has(name!), name)
    const text = /^\w+$/.test(name!) ? `const a = ${name}` : `const a = '${name}'`
    assert.equal(found('a.ts', text, names), [name], `${name} of ${id}`)
  }
})
