/** The alerts of the pages fire when they should, and at no other time: promtool runs them on series of the test. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { collectMetrics } from '../../scripts/renew/metrics-table.ts'
import { folderWith } from '../support/folder.ts'
import { testUnless } from '../support/skip.ts'
import { hasProgram } from '../unit/telemetry/programs.ts'

const test = suite('docs: alerts')

/**
 * A series, with its labels beside the job and the instance, and its values minute by minute as promtool writes them.
 */
type Series = readonly [name: string, labels: string, values: string]

/** For each alert, series on which it fires after some minutes, and series on which it does not. */
type Cases = Readonly<Record<string, { readonly bad: readonly Series[]; readonly good: readonly Series[] }>>

const appends = 'svc_cluster_run_appends_total'
const appendBucket = 'svc_cluster_run_append_duration_seconds_bucket'
const requests = 'svc_http_requests_total'
const requestBucket = 'svc_http_request_duration_seconds_bucket'

/** The cases of each page, and a change of its rules after which one of them never fires. */
const pages: readonly { readonly file: string; readonly weaken: readonly [string, string]; readonly cases: Cases }[] = [
  {
    file: 'operating.md',
    weaken: ['> 0.25', '> 1000'],
    cases: {
      SvcDown: { bad: [['up', '', '0x20']], good: [['up', '', '1 0 1x20']] },
      SvcErrors: {
        bad: [
          [requests, 'status="200"', '0+90x20'],
          [requests, 'status="503"', '0+10x20'],
        ],
        good: [
          [requests, 'status="200"', '0+900x20'],
          [requests, 'status="404"', '0+100x20'],
          [requests, 'status="500"', '0+1x20'],
        ],
      },
      SvcSlow: {
        bad: [
          [requestBucket, 'le="1"', '0+50x20'],
          [requestBucket, 'le="2.5"', '0+100x20'],
          [requestBucket, 'le="+Inf"', '0+100x20'],
        ],
        good: [
          [requestBucket, 'le="1"', '0+100x20'],
          [requestBucket, 'le="+Inf"', '0+100x20'],
        ],
      },
      SvcToolServerDown: {
        bad: [['svc_tool_server_up', 'server="files"', '0x20']],
        good: [['svc_tool_server_up', 'server="files"', '0 0 1x20']],
      },
      SvcSlowReaders: {
        bad: [['svc_sse_dropped_events_total', 'stream="live"', '0+7x20']],
        good: [['svc_sse_dropped_events_total', 'stream="live"', '0 7x20']],
      },
      SvcEventLoopBusy: {
        bad: [['nodejs_eventloop_lag_p99_seconds', '', '0.4x20']],
        good: [['nodejs_eventloop_lag_p99_seconds', '', '0.02 0.4 0.02x20']],
      },
      SvcNotReady: {
        bad: [['svc_ready', 'check="all"', '0x20']],
        good: [
          ['svc_ready', 'check="all"', '1 0 1x20'],
          ['svc_ready', 'check="tool_servers"', '0x20'],
        ],
      },
      SvcDiskFullInADay: {
        bad: [['svc_store_free_bytes', '', '1000000000-2000000x20']],
        good: [['svc_store_free_bytes', '', '100000000000-2000000x20']],
      },
      SvcLogHeld: {
        bad: [['svc_wal_bytes', '', '80000000x20']],
        good: [['svc_wal_bytes', '', '4000000 80000000 4000000x20']],
      },
      SvcRefusalsRise: {
        bad: [
          ['svc_auth_refusals_total', 'code="token_expired"', '0x8 60 120 180 240 300 360 420 480 540 600 660'],
          ['process_start_time_seconds', '', '-10000x20'],
        ],
        // A process that has just started has no earlier rate to compare with.
        good: [
          ['svc_auth_refusals_total', 'code="token_expired"', '0+60x20'],
          ['process_start_time_seconds', '', '0x20'],
        ],
      },
      SvcPeerBehind: {
        bad: [['svc_peer_exchanges_total', 'direction="out",outcome="not_reached"', '0+3x20']],
        good: [
          ['svc_peer_exchanges_total', 'direction="out",outcome="not_reached"', '0+3x20'],
          ['svc_peer_exchanges_total', 'direction="out",outcome="ok"', '0+3x20'],
        ],
      },
    },
  },
  {
    file: 'cluster.md',
    weaken: ['> 1000', '> 100000'],
    cases: {
      SvcEngineAway: {
        bad: [['svc_cluster_engine_up', 'engine="nats"', '0x20']],
        good: [['svc_cluster_engine_up', 'engine="nats"', '1 0 1x20']],
      },
      SvcAppendsDown: {
        bad: [['svc_cluster_run_appends_up', 'engine="nats"', '0x20']],
        good: [['svc_cluster_run_appends_up', 'engine="nats"', '1 0 1x20']],
      },
      SvcAppendsFail: {
        bad: [
          [appends, 'outcome="written"', '0+90x20'],
          [appends, 'outcome="unknown"', '0+10x20'],
        ],
        good: [
          [appends, 'outcome="written"', '0+90x20'],
          [appends, 'outcome="moved"', '0+90x20'],
          [appends, 'outcome="unknown"', '0x20'],
        ],
      },
      SvcAppendsSlow: {
        bad: [
          [appendBucket, 'outcome="written",le="1"', '0+50x20'],
          [appendBucket, 'outcome="written",le="2"', '0+100x20'],
          [appendBucket, 'outcome="written",le="+Inf"', '0+100x20'],
        ],
        good: [
          [appendBucket, 'outcome="written",le="1"', '0+100x20'],
          [appendBucket, 'outcome="written",le="+Inf"', '0+100x20'],
        ],
      },
      SvcRunsLag: {
        bad: [['svc_cluster_run_lag', '', '2000x20']],
        good: [['svc_cluster_run_lag', '', '0 2000 0x20']],
      },
      SvcLeaderChanges: {
        bad: [['svc_cluster_leader_changes_total', '', '0+1x20']],
        good: [['svc_cluster_leader_changes_total', '', '0 0 1 2x20']],
      },
      SvcKeysOld: {
        bad: [['svc_cluster_key_age_seconds', '', '0+30x20']],
        good: [['svc_cluster_key_age_seconds', '', '0.4x20']],
      },
    },
  },
]

for (const { file, weaken, cases } of pages) {
  const rules = rulesOf(file)

  test(`each alert of ${file} has series on which it fires, and asks for metrics that exist`, async () => {
    const metrics = await collectMetrics()
    assert.equal(
      [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name),
      Object.keys(cases),
    )
    for (const [name] of rules.matchAll(/svc_[a-z_]+/g)) assert.ok(metrics.has(name.replace(/_bucket$/, '')), name)
  })

  testUnless(
    test,
    hasProgram('promtool') ? undefined : 'no promtool on this machine',
    `promtool sees the alerts of ${file} fire`,
    () => {
      const { status, said } = runRules(rules, cases)
      assert.is(status, 0, said)
      // promtool fails if a rule never fires.
      assert.is.not(runRules(rules.replace(...weaken), cases).status, 0)
    },
  )
}

function rulesOf(file: string): string {
  const [, rules] = /```yaml\n(# svc[a-z-]*-alerts\.yml\n[\s\S]*?)```/.exec(
    readFileSync(join(root, 'docs', file), 'utf8'),
  )!
  return rules!
}

function runRules(rules: string, cases: Cases): { readonly status: number | null; readonly said: string } {
  const tests = Object.entries(cases).flatMap(([alertname, { bad, good }]) =>
    [bad, good].map((series) => ({
      interval: '1m',
      input_series: series.map(([name, labels, values]) => ({
        series: `${name}{job="svc",instance="a"${labels === '' ? '' : `,${labels}`}}`,
        values,
      })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alertname}",alertstate="firing"}) or vector(0)`,
          eval_time: '15m',
          exp_samples: [{ labels: '{}', value: series === bad ? 1 : 0 }],
        },
      ],
    })),
  )
  const cwd = folderWith({
    'alerts.yml': rules,
    'tests.yml': JSON.stringify({ rule_files: ['alerts.yml'], evaluation_interval: '1m', tests }),
  })
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'tests.yml'], { encoding: 'utf8', cwd })
  return { status, said: stdout + stderr }
}

test.run()
