/** The contract of every transport of the runtime surface. */
import { type Contract, defineContract } from '../../../core/testing/contract.ts'

/** The contract of the transports: what a client sees of requests that reach no route. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'an unknown path without a credential is 401',
      send: { path: '/no-such-path' },
      expect: {
        status: 401,
        headers: { 'content-type': 'application/json', 'www-authenticate': /^Bearer realm="svc"/ },
        body: { error: { code: 'credential_missing' } },
      },
    },
    {
      name: 'no CORS header without a list of origins',
      needs: ['probes'],
      send: { path: '/health', headers: { origin: 'https://app.example' } },
      expect: { status: 200, headers: { 'access-control-allow-origin': null, vary: null } },
    },
    {
      name: 'a preflight of a listed origin is answered before authentication',
      needs: ['probes'],
      given: { 'server.cors_origins': ['https://app.example'] },
      send: {
        method: 'OPTIONS',
        path: '/health',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
      },
      expect: {
        status: 204,
        headers: { 'access-control-allow-origin': 'https://app.example', 'access-control-allow-methods': 'GET' },
      },
    },
    {
      name: 'a preflight of another origin gets no CORS header',
      given: { 'server.cors_origins': ['https://app.example'] },
      send: {
        method: 'OPTIONS',
        path: '/no-such-path',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
      },
      expect: { status: 401, headers: { 'access-control-allow-origin': null } },
    },
  ],
  absent: [{ name: 'there is no createRuntime', call: 'createRuntime', missing: true }],
})
