/** Which requests the gauges of the console count. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseScrape } from '../../../plugins/console/page/lib/metrics.ts'
import { withoutPolls } from '../../../plugins/console/page/views/overview/polled.ts'

const test = suite('the gauges of the console')

test('requests of polled routes are left out, and errors of them are kept', () => {
  const line = (method: string, path: string, status: number): string =>
    `svc_http_requests_total{method="${method}",path="${path}",status="${status}"} 1`
  const read = parseScrape(
    [
      line('GET', '/api/svc/runs', 200),
      line('GET', '/api/svc/runs', 500),
      line('POST', '/api/svc/runs', 201),
      line('GET', '/readyz', 200),
      line('GET', '/readyz', 503),
      line('GET', '/metrics', 200),
      line('GET', '/api/svc/live', 200),
      '',
    ].join('\n'),
  )
  assert.equal(
    withoutPolls(read)
      .get('svc_http_requests_total')
      ?.map(({ labels: { method, path, status } }) => `${method} ${path} ${status}`),
    ['GET /api/svc/runs 500', 'POST /api/svc/runs 201', 'GET /api/svc/live 200'],
  )
})

test.run()
