/** The contract of the metrics. */

import { metricsOf } from '../../../core/declare/metric.ts'
import { type Contract, defineContract } from '../../../core/testing/contract.ts'
import { httpMetrics, ownMetrics } from './own-metrics.ts'

/** The contract of feature `telemetry.metrics`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /metrics is a scrape without a credential',
      send: { path: '/metrics' },
      expect: { status: 200, headers: { 'content-type': /^text\/plain; version=0\.0\.4/ } },
    },
    {
      name: 'every metric of the capability is declared in a scrape',
      steps: async (target) => {
        const { text } = await target.request({ path: '/metrics' })
        const missing = metricsOf([{ metrics: { ...httpMetrics, ...ownMetrics } }]).filter(
          ({ name, type }) => !text.includes(`# TYPE ${name} ${type}\n`),
        )
        if (missing.length > 0) throw new Error(`not declared: ${missing.map(({ name }) => name).join(', ')}`)
      },
    },
    {
      name: 'a request is counted by method, route and status',
      steps: async (target) => {
        await target.request({ path: '/health' })
        const { text } = await target.request({ path: '/metrics' })
        const series = 'svc_http_requests_total{method="GET",path="/health",status="200"} '
        if (!text.includes(series)) throw new Error(`no series ${series}`)
      },
    },
    {
      name: 'paths that a client invents make no series of their own',
      steps: async (target) => {
        for (const path of ['/invented-1', '/invented-2']) await target.request({ path, method: 'PATCH' })
        const { text } = await target.request({ path: '/metrics' })
        if (text.includes('invented')) throw new Error('an invented path is in the scrape')
        if (!text.includes('method="PATCH",path="unmatched"')) throw new Error('unmatched requests are not counted')
      },
    },
    {
      name: 'POST /metrics is a method that is not allowed',
      send: { method: 'POST', path: '/metrics' },
      expect: { status: 405, headers: { allow: 'GET, HEAD' }, body: { error: { code: 'method_not_allowed' } } },
    },
  ],
  absent: [
    {
      name: 'GET /metrics is not there',
      send: { path: '/metrics' },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
})
