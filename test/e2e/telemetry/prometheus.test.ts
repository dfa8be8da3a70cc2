import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../scripts/free-port.ts'
import { startChild } from '../../support/child.ts'
import { skip } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { startBuilt, unbuilt } from './built-service.ts'

const name = 'a Prometheus server scrapes the running service and returns its values'
const reason = unbuilt ?? (hasProgram('prometheus') ? undefined : 'no prometheus on this machine')

interface QueryResult {
  readonly data: {
    readonly result: readonly { readonly metric: Record<string, string>; readonly value: [number, string] }[]
  }
}

async function scrapeWithPrometheus(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-prometheus-'))
  const service = await startBuilt({ SVC_TOOLS__SERVERS: '{"files":"http://127.0.0.1:9/"}' })
  const port = await freePort()
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    `global:\n  scrape_interval: 1s\nscrape_configs:\n  - job_name: svc\n    static_configs:\n      - targets: ['127.0.0.1:${service.port}']\n`,
  )
  const prometheus = startChild('prometheus', {
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
  })
  const value = async (query: string): Promise<number | undefined> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`)
    const { data } = (await response.json()) as QueryResult
    return data.result[0] === undefined ? undefined : Number(data.result[0].value[1])
  }
  try {
    for (let i = 0; i < 7; i++) assert.is((await fetch(`${service.base}/health`)).status, 200)
    assert.is((await fetch(`${service.base}/no-such-path`)).status, 401)
    await prometheus.waitFor(/ready to receive web requests/i, 30_000)
    const health = 'svc_http_requests_total{job="svc",method="GET",path="/health",status="200"}'
    const until = Date.now() + 20_000
    while ((await value(health)) === undefined && Date.now() < until) await sleep(100)

    assert.is(await value(health), 7)
    assert.is(await value('svc_http_requests_total{path="unmatched",status="401"}'), 1)
    assert.is(await value('svc_http_request_duration_seconds_bucket{path="/health",le="+Inf"}'), 7)
    assert.is(await value('svc_http_request_duration_seconds_count{path="/health"}'), 7)
    assert.is(await value('svc_tool_server_up{server="files"}'), 0)
    assert.is(await value('up{job="svc"}'), 1)
    assert.ok((await value('process_resident_memory_bytes{job="svc"}'))! > 1_000_000)
    assert.ok((await value('histogram_quantile(0.99, svc_http_request_duration_seconds_bucket{path="/health"})'))! > 0)
    const targets = await (await fetch(`http://127.0.0.1:${port}/api/v1/targets`)).text()
    assert.match(targets, '"lastError":""')
  } finally {
    await prometheus.stop()
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  }
}

if (reason === undefined) test(name, scrapeWithPrometheus)
else skip(test, name, reason)

test.run()
