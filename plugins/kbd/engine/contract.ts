/** The contract of the engine of boards, tested over the routes of a node and in a library. */
import { type Case, type Contract, defineContract } from '../../../core/testing/contract.ts'
import { embeddedCases } from './contract-embedded.ts'

const needs = ['kbd.api']
const STRANGER = {
  schemaVersion: '2',
  commandId: '11111111-2222-4333-8444-555555555555',
  domain: 'kbd-control:demo',
  expectedFrontier: { heads: [] },
  concurrency: 'strict',
  command: { type: 'board.create', boardId: '11111111-2222-4333-8444-555555555556', title: 'Demo' },
  issuedAtMs: 0,
  signerKeyId: `ed25519:${'ab'.repeat(32)}`,
  signature: `${'A'.repeat(86)}==`,
}

const refused = (name: string, over: Readonly<Record<string, unknown>>, status: number, code: string): Case => ({
  name: `a command: ${name} is ${status} ${code}`,
  needs,
  surface: 'local',
  send: { method: 'POST', path: '/api/v1/kbd/projects/demo/commands', body: { ...STRANGER, ...over } },
  expect: { status, body: { error: { code } } },
})

/** The contract of feature `kbd.engine`. */
export const contract: Contract = defineContract({
  present: [
    refused('an unknown signer', {}, 403, 'signer_unknown'),
    refused('another schemaVersion', { schemaVersion: '1.7' }, 400, 'unsupported_schema_version'),
    refused('a member too many', { requestId: STRANGER.commandId }, 400, 'malformed_request'),
    refused('the domain of another project', { domain: 'kbd-control:other' }, 400, 'malformed_request'),
    refused('a domain of another family', { domain: 'kbd-content:demo' }, 400, 'malformed_request'),
    refused('parents that are not in order', { expectedFrontier: { heads: ['b', 'a'] } }, 400, 'malformed_request'),
    refused('a number that is no integer', { issuedAtMs: 0.5 }, 400, 'canonicalization_failed'),
    ...embeddedCases,
  ],
  absent: [
    { name: 'a library has no createBoards', call: 'createBoards', missing: true },
    {
      name: 'no board takes a command',
      send: { method: 'POST', path: '/api/v1/kbd/projects/demo/commands', as: { user: 'ada' }, body: STRANGER },
      expect: { status: 404, body: { error: { code: 'not_found' } } },
    },
  ],
})
