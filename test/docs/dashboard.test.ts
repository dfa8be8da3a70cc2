/**
 * docs/dashboards/svc.json uses only metrics and labels that exist: each expression is checked against scrapes of the
 * built services.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir, root } from '../../scripts/build/paths.ts'
import { collectMetrics } from '../../scripts/renew/metrics-table.ts'
import { nowhere } from '../e2e/cluster/nowhere.ts'
import { startBuilt } from '../e2e/telemetry/built-service.ts'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'
import { hasProgram } from '../unit/telemetry/programs.ts'
import { readExpression, withoutVariables } from './expression.ts'

const test = suite('docs/dashboards/svc.json')

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const dashboard = JSON.parse(readFileSync(join(root, 'docs/dashboards/svc.json'), 'utf8')) as {
  readonly panels: readonly Panel[]
  readonly annotations: { readonly list: readonly { readonly expr: string; readonly titleFormat: string }[] }
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] }
}
const asked = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ title, expr, legend: legendFormat })),
  ),
  ...dashboard.annotations.list.map(({ expr, titleFormat }) => ({ title: 'annotation', expr, legend: titleFormat })),
]

const metrics = await collectMetrics()

/** The labels of each metric of a service, by the names that an expression may use. */
type Known = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Every metric family of a scrape, with its labels: those of the metrics table for the service's own metrics, otherwise
 * those of the samples.
 */
function readScrape(text: string): Known {
  const seen = new Map<string, Set<string>>()
  for (const [, name, labels = ''] of text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /gm)) {
    const found = seen.get(name!) ?? new Set()
    for (const [, label] of labels.matchAll(/(\w+)="/g)) found.add(label!)
    seen.set(name!, found)
  }
  const known = new Map<string, ReadonlySet<string>>()
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const ours = metrics.get(name!)?.labels
    const parts = type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!]
    for (const part of parts) {
      const bound = part.endsWith('_bucket') ? ['le'] : []
      const sampled = seen.get(part)
      if (ours !== undefined && sampled !== undefined && sampled.size > 0)
        assert.equal([...sampled].sort(), [...ours, ...bound].sort(), `the labels of ${part} are those of the table`)
      known.set(part, new Set(ours === undefined ? sampled : [...ours, ...bound]))
    }
  }
  return known
}

/** The labels that Prometheus adds to every series. */
const TARGET = ['job', 'instance']

/** Errors in an expression, given the metrics and labels that a service has. */
function problems(expr: string, legend: string, known: Known): string[] {
  const { selected, grouped, aggregates } = readExpression(expr)
  const found: string[] = selected.length === 0 ? ['it selects nothing'] : []
  const labels = new Set(TARGET)
  for (const { metric, matched } of selected) {
    // Prometheus itself generates `up`.
    const has = metric === 'up' ? new Set<string>() : known.get(metric)
    if (has === undefined) found.push(`there is no metric ${metric}`)
    for (const label of has ?? []) labels.add(label)
    for (const label of matched)
      if (!TARGET.includes(label) && !has?.has(label)) found.push(`${metric} has no label ${label}`)
    for (const label of TARGET) if (!matched.includes(label)) found.push(`${metric} is of every ${label}`)
  }
  for (const label of grouped) if (!labels.has(label)) found.push(`no metric has the label ${label}`)
  const remaining = aggregates ? new Set(grouped) : labels
  for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g))
    if (!remaining.has(label!)) found.push(`the legend names ${label}, which is not left`)
  return found
}

const programs = ['server-full', 'server-cluster'].map((profile) => join(distDir(profile), 'svc.mjs'))
const missing = programs.find((file) => !existsSync(file))
async function scrape(program: string): Promise<Known> {
  // The metrics of the cluster do not need a running engine: they report that it is away.
  const service = await startBuilt(program.includes('server-cluster') ? nowhere : {}, program)
  try {
    await (await fetch(`${service.base}/health`)).text()
    return readScrape(await (await fetch(`${service.base}/metrics`)).text())
  } finally {
    await service.stop()
  }
}

testUnless(
  test,
  missing && `${missing} has not been built`,
  'every metric and label of the dashboard exists in the built services',
  async () => {
    // A service has the metrics of its own features; a panel of an absent feature is empty.
    const scrapes = await Promise.all(programs.map(scrape))
    for (const known of [new Map(scrapes.flatMap((scraped) => [...scraped]))]) {
      assert.equal(
        asked.flatMap(({ title, expr, legend }) =>
          problems(expr, legend, known).map((one) => `${title}: ${one}: ${expr}`),
        ),
        [],
      )
      for (const { definition } of dashboard.templating.list) {
        if (definition === undefined) continue
        const [, metric, label] = /^label_values\((\w+)[{,].*?(\w+)\)$/.exec(definition)!
        assert.ok(known.has(metric!) && TARGET.includes(label!), definition)
      }
      const s = 'job="$job",instance=~"$instance"'
      const wrong: readonly [expr: string, legend: string][] = [
        [`rate(svc_http_request_total{${s}}[5m])`, ''],
        [`rate(svc_http_requests_total{${s},route="x"}[5m])`, ''],
        [`rate(svc_http_request_duration_seconds{${s}}[5m])`, ''],
        ['svc_sse_connections', ''],
        [`sum by (kind) (svc_sse_connections{${s}})`, ''],
        [`sum by (instance) (svc_sse_connections{${s}})`, '{{stream}}'],
        [`svc_sse_connections{${s}}`, '{{path}}'],
        [`svc_sse_connections{${s}} and on (stream) nodejs_no_such{${s}}`, ''],
        ['vector(1)', ''],
      ]
      for (const [expr, legend] of wrong) assert.ok(problems(expr, legend, known).length > 0, expr)
      assert.equal(problems(`topk(3, sum by (stream) (svc_sse_connections{${s}})) > 0`, '{{stream}}', known), [])
    }
  },
)

testUnless(
  test,
  hasProgram('promtool') ? undefined : 'no promtool on this machine',
  'promtool reads every expression',
  () => {
    const check = (expressions: readonly string[]): { status: number | null; said: string } => {
      const rules = expressions.map((expr, index) => ({ record: `svc:panel_${index}`, expr: withoutVariables(expr) }))
      const folder = folderWith({ 'rules.yml': JSON.stringify({ groups: [{ name: 'svc', rules }] }) })
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', join(folder, 'rules.yml')], {
        encoding: 'utf8',
      })
      return { status, said: stdout + stderr }
    }
    const all = asked.map(({ expr }) => expr)
    const { status, said: output } = check(all)
    assert.is(status, 0, output)
    assert.match(output, `${all.length} rules found`)
    assert.is.not(check(['sum by instance (up)']).status, 0)
  },
)

test('panels do not overlap, and use declared variables only', () => {
  const text = JSON.stringify(dashboard)
  const declared = [...dashboard.templating.list.map(({ name }) => name), '__rate_interval', '__all']
  for (const [, name] of text.matchAll(/\$\{?(\w+)/g)) assert.ok(declared.includes(name!), name)
  const ids = dashboard.panels.map(({ id }) => id)
  assert.is(new Set(ids).size, ids.length)
  const taken = new Map<string, string>()
  for (const { title, gridPos } of dashboard.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.is(taken.get(`${x} ${y}`), undefined, `${title} overlaps another panel`)
        assert.ok(x < 24, title)
        taken.set(`${x} ${y}`, title)
      }
})

test.run()
