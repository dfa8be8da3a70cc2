import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { skip } from '../../support/skip.ts'
import { type BuiltService, startBuilt, unbuilt } from './built-service.ts'

interface Report {
  readonly status: number
  readonly body: { status: string; checks: Record<string, { status: string; required: boolean }> }
}

async function readyz({ base }: BuiltService): Promise<Report> {
  const response = await fetch(`${base}/readyz`)
  return { status: response.status, body: (await response.json()) as Report['body'] }
}

function built(name: string, run: () => Promise<void>): void {
  if (unbuilt === undefined) test(name, run)
  else skip(test, name, unbuilt)
}

/** Repeats the request until a report satisfies a condition, because results are shared for a second. */
async function until(service: BuiltService, fits: (report: Report) => boolean): Promise<Report> {
  for (const end = Date.now() + 60_000; ; ) {
    const report = await readyz(service)
    if (fits(report)) return report
    if (Date.now() > end) throw new Error(`still ${report.status} ${JSON.stringify(report.body)}`)
    await sleep(100)
  }
}

built('a deleted store makes the service unavailable, and the report does not contain its path', async () => {
  const service = await startBuilt()
  try {
    const before = await readyz(service)
    assert.is(before.status, 200)
    assert.equal(before.body.checks['persistence'], { status: 'ok', required: true })
    rmSync(join(service.folder, 'state'), { recursive: true })
    const after = await until(service, ({ status }) => status === 503)
    assert.equal(after.body.checks['persistence'], { status: 'failed', required: true })
    assert.not.match(JSON.stringify(after.body), service.folder)
    assert.is((await fetch(`${service.base}/health`)).status, 200, 'liveness runs no checks')
  } finally {
    await service.stop()
  }
})

built('readiness and metrics show that a tool server is up and later down', async () => {
  const tool = createServer((_, response) => response.writeHead(405).end())
  await new Promise<void>((resolve) => tool.listen(0, '127.0.0.1', resolve))
  const { port } = tool.address() as AddressInfo
  const service = await startBuilt({
    SVC_TOOLS__SERVERS: JSON.stringify({ files: `http://127.0.0.1:${port}/mcp` }),
    SVC_TOOLS__CHECK_INTERVAL_MS: '200',
  })
  const up = async (): Promise<string | undefined> =>
    /svc_tool_server_up\{server="files"\} (\d)/.exec(await (await fetch(`${service.base}/metrics`)).text())?.[1]
  try {
    const seen = await until(service, ({ body }) => body.checks['tool_servers']?.status === 'ok')
    assert.is(seen.status, 200)
    assert.is(await up(), '1')
    tool.closeAllConnections()
    await new Promise((resolve) => tool.close(resolve))
    const gone = await until(service, ({ body }) => body.checks['tool_servers']?.status === 'failed')
    assert.is(gone.status, 200)
    assert.is(await up(), '0')
  } finally {
    await service.stop()
  }
})

test.run()
