/** The contract of traces over HTTP, which clients cannot see. The export is tested with a collector. */
import { type Contract, defineContract, refusesSetting } from '../../../core/contract.ts'

/** The contract of feature `telemetry.traces`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a malformed trace context does not fail a request',
      send: { path: '/health', headers: { traceparent: '00-zz-zz-zz', tracestate: ',,,=' } },
      expect: { status: 200, body: { status: 'ok' } },
    },
    {
      name: 'an address that is no collector does not fail the start',
      given: { 'traces.endpoint': 'not an address' },
      send: { path: '/health' },
      expect: { status: 200, body: { status: 'ok' } },
    },
    {
      name: 'a collector that is away does not fail a request',
      given: { 'traces.endpoint': 'http://127.0.0.1:9' },
      send: { path: '/health' },
      expect: { status: 200, body: { status: 'ok' } },
    },
  ],
  absent: [refusesSetting('traces.endpoint', 'http://127.0.0.1:9')],
})
