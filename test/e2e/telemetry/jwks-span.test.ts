import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { testUnless } from '../../support/skip.ts'
import { startBuilt, unbuilt } from './built-service.ts'
import { startCollector } from './collector.ts'

testUnless(test, unbuilt, 'a fetch of the JWKS is a span, and sends its trace context', async () => {
  const seen: IncomingHttpHeaders[] = []
  const provider = createServer((request, response) => {
    seen.push(request.headers)
    response.end('{"keys":[]}')
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const collector = await startCollector()
  try {
    const service = await startBuilt({
      SVC_SECURITY__JWKS_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    })
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = `${part({ alg: 'RS256', kid: 'k1' })}.${part({ sub: 'a', exp: 4_000_000_000 })}.${part({ no: 'signature' })}`
    const response = await fetch(`${service.base}/api/svc/auth/keys`, { headers: { authorization: `Bearer ${token}` } })
    assert.is(response.status, 401)
    await service.stop()
    const span = collector.spans.find((one) => one.name === 'read JWKS')
    assert.ok(span, collector.spans.map((one) => one.name).join())
    assert.is(span.kind, 3)
    assert.is(span.attributes['http.response.status_code'], '200')
    assert.is(seen[0]!['traceparent'], `00-${span.traceId}-${span.spanId}-01`)
    assert.ok(
      collector.spans.some((one) => one.kind === 2),
      'the request that caused the fetch is a span too',
    )
  } finally {
    provider.closeAllConnections()
    await new Promise((resolve) => provider.close(resolve))
    await collector.close()
  }
})

test.run()
