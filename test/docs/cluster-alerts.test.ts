/**
 * The alerts of docs/cluster.md fire when they should, and only then: promtool evaluates them on time series of the
 * test.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { families } from '../../plugins/telemetry/metrics/families.ts'
import { root } from '../../scripts/build/paths.ts'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'
import { hasProgram } from '../unit/telemetry/programs.ts'

const test = suite('docs/cluster.md: alerts')

const page = readFileSync(join(root, 'docs/cluster.md'), 'utf8')
const [, rules] = /```yaml\n(# svc-cluster-alerts\.yml\n[\s\S]*?)```/.exec(page)!

/** For each alert, time series on which it fires after some minutes, and time series on which it does not fire. */
const cases: Readonly<Record<string, { readonly bad: readonly string[][]; readonly good: readonly string[][] }>> = {
  SvcEngineAway: {
    bad: [['svc_cluster_engine_up{job="svc",instance="a",engine="nats"}', '0x20']],
    good: [['svc_cluster_engine_up{job="svc",instance="a",engine="nats"}', '1 0 1x20']],
  },
  SvcAppendsFail: {
    bad: [
      ['svc_cluster_run_appends_total{job="svc",instance="a",outcome="written"}', '0+90x20'],
      ['svc_cluster_run_appends_total{job="svc",instance="a",outcome="unknown"}', '0+10x20'],
    ],
    good: [
      ['svc_cluster_run_appends_total{job="svc",instance="a",outcome="written"}', '0+90x20'],
      ['svc_cluster_run_appends_total{job="svc",instance="a",outcome="moved"}', '0+90x20'],
      ['svc_cluster_run_appends_total{job="svc",instance="a",outcome="unknown"}', '0x20'],
    ],
  },
  SvcAppendsSlow: {
    bad: [
      ['svc_cluster_run_append_duration_seconds_bucket{job="svc",instance="a",outcome="written",le="1"}', '0+50x20'],
      ['svc_cluster_run_append_duration_seconds_bucket{job="svc",instance="a",outcome="written",le="2"}', '0+100x20'],
      [
        'svc_cluster_run_append_duration_seconds_bucket{job="svc",instance="a",outcome="written",le="+Inf"}',
        '0+100x20',
      ],
    ],
    good: [
      ['svc_cluster_run_append_duration_seconds_bucket{job="svc",instance="a",outcome="written",le="1"}', '0+100x20'],
      [
        'svc_cluster_run_append_duration_seconds_bucket{job="svc",instance="a",outcome="written",le="+Inf"}',
        '0+100x20',
      ],
    ],
  },
  SvcRunsLag: {
    bad: [['svc_cluster_run_lag{job="svc",instance="a"}', '2000x20']],
    good: [['svc_cluster_run_lag{job="svc",instance="a"}', '0 2000 0x20']],
  },
  SvcLeaderChanges: {
    bad: [['svc_cluster_leader_changes_total{job="svc",instance="a"}', '0+1x20']],
    good: [['svc_cluster_leader_changes_total{job="svc",instance="a"}', '0 0 1 2x20']],
  },
  SvcKeysOld: {
    bad: [['svc_cluster_key_age_seconds{job="svc",instance="a"}', '0+30x20']],
    good: [['svc_cluster_key_age_seconds{job="svc",instance="a"}', '0.4x20']],
  },
}

test('each alert has series on which it fires, and uses metrics that exist', () => {
  assert.equal(
    [...rules!.matchAll(/- alert: (\w+)/g)].map(([, name]) => name),
    Object.keys(cases),
  )
  for (const [name] of rules!.matchAll(/svc_[a-z_]+/g)) assert.ok(name.replace(/_bucket$/, '') in families, name)
})

testUnless(
  test,
  hasProgram('promtool') ? undefined : 'no promtool on this machine',
  'each alert fires on its bad series only',
  () => {
    const tests = Object.entries(cases).flatMap(([alertname, { bad, good }]) =>
      [bad, good].map((series) => ({
        interval: '1m',
        input_series: series.map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"}) or vector(0)`,
            eval_time: '15m',
            exp_samples: [{ labels: '{}', value: series === bad ? 1 : 0 }],
          },
        ],
      })),
    )
    const suiteOf = (text: string): string =>
      folderWith({
        'svc-cluster-alerts.yml': text,
        'tests.yml': JSON.stringify({ rule_files: ['svc-cluster-alerts.yml'], evaluation_interval: '1m', tests }),
      })
    const run = (text: string) =>
      spawnSync('promtool', ['test', 'rules', 'tests.yml'], { encoding: 'utf8', cwd: suiteOf(text) })
    const { status, stdout, stderr } = run(rules!)
    assert.is(status, 0, stdout + stderr)
    // The check fails for a rule that never fires.
    assert.is.not(run(rules!.replace('> 1000', '> 100000')).status, 0)
  },
)

test.run()
