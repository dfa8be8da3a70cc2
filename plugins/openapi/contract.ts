/** What the contract document promises. */
import { type Contract, defineContract } from '../../core/contract.ts'

/** The contract of feature `openapi`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /openapi.json on the socket is an OpenAPI 3.1 document of both surfaces',
      surface: 'local',
      send: { path: '/openapi.json' },
      expect: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { openapi: '3.1.0', info: { title: 'svc' } },
      },
    },
  ],
  absent: [],
})
