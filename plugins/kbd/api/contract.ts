/** The contract of the routes of boards, as far as it can be tested without an enrolled device. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'

const UNKNOWN = '11111111-2222-4333-8444-555555555555'
const TEXT = 'a text of a card'
const HASH = 'ba6f7f2c7ac3b6a8b2c9b3c2f5b4f6d47a52f0d8a1a9c1fb3d3a7a3c7c4b1e90'

const refused = (path: string, status: number, code: string, method = 'GET'): Case => ({
  name: `${method} ${path} is ${status} ${code}`,
  surface: 'local',
  send: { method, path },
  expect: { status, body: { error: { code } } },
})

const put = (name: string, type: string, hash: string, status: number, code: string, body = TEXT): Case => ({
  name: `PUT of a content, ${name}: ${status} ${code}`,
  surface: 'local',
  send: { method: 'PUT', path: `/api/v1/kbd/content/${hash}`, headers: { 'content-type': type }, body },
  expect: { status, body: { error: { code } } },
})

/** The contract of feature `kbd.api`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'GET /api/v1/status says who this node is',
      surface: 'local',
      send: { path: '/api/v1/status' },
      expect: { status: 200, body: { projects: [], outbox: { pending: 0, oldestAtMs: null }, peers: { known: 0 } } },
    },
    {
      name: 'GET /api/v1/peers lists none',
      surface: 'local',
      send: { path: '/api/v1/peers' },
      expect: { status: 200, body: { peers: [] } },
    },
    {
      name: 'GET /api/v1/kbd/projects lists none where no device was enrolled',
      surface: 'local',
      send: { path: '/api/v1/kbd/projects' },
      expect: { status: 200, body: { projects: [] } },
    },
    ...['', `/cards/${UNKNOWN}`, '/commands', '/claims', '/conflicts', `/conflicts/${UNKNOWN}`].map((tail) =>
      refused(`/api/v1/kbd/projects/nowhere${tail}`, 404, 'project_not_found'),
    ),
    refused('/api/v1/kbd/content/XYZ', 400, 'malformed_request'),
    refused(`/api/v1/kbd/content/${HASH}`, 404, 'content_not_found'),
    put('under the hash of another text', 'application/octet-stream', HASH, 422, 'content_mismatch'),
    put('of another type', 'text/plain', HASH, 415, 'unsupported_media_type'),
    put('under a name that is no hash', 'application/octet-stream', 'XYZ', 400, 'malformed_request'),
    put('of 262 145 bytes', 'application/octet-stream', HASH, 413, 'payload_too_large', 'x'.repeat(262_145)),
    {
      name: 'boards are not on the runtime surface',
      send: { path: '/api/v1/kbd/projects', as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
  absent: [
    {
      name: 'there are no boards',
      send: { path: '/api/v1/kbd/projects', as: { user: 'ada' } },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
})
