/**
 * The contract of `kbd.remote` on a node without boards. test/e2e/sync/remote-boards.test.ts has boards in a service.
 */
import { type Case, type Contract, defineContract, type Send } from '../../../core/testing/contract.ts'

const settings = { 'sync.remote': true }
const BOARDS = '/api/svc/kbd'
const HASH = 'ab'.repeat(32)
const both = { user: 'ada', scopes: ['kbd:read', 'kbd:write'] }
const stranger = { ...both, tenant: 'elsewhere' }

const COMMANDS = `${BOARDS}/nowhere/commands`
const CONTENT = `${BOARDS}/nowhere/content/${HASH}`
const reads: readonly Send[] = [{ path: BOARDS }, { path: COMMANDS }, { path: CONTENT }]
const put: Send = {
  method: 'PUT',
  path: CONTENT,
  headers: { 'content-type': 'application/octet-stream' },
  body: 'text',
}
const writes: readonly Send[] = [{ method: 'POST', path: COMMANDS, body: {} }, put]
const named = ({ method = 'GET', path = '' }: Send): string => `${method} ${path}`

const answers = (name: string, send: Send, status: number, code: string): Case => ({
  name,
  given: settings,
  send,
  expect: { status, body: { error: { code } } },
})
const notThere = (send: Send): Case => ({
  name: `${named(send)} is not there`,
  send: { ...send, as: both },
  expect: { status: 404, body: { error: { code: 'not_found' } } },
})

/** The contract of feature `kbd.remote`. */
export const contract: Contract = defineContract({
  present: [
    ...[...reads, ...writes].flatMap((send): readonly Case[] => [
      { ...notThere(send), name: `${named(send)} is not there unless sync.remote is true` },
      answers(`${named(send)} without a credential is 401`, send, 401, 'credential_missing'),
      answers(`${named(send)} without its scope is 403`, { ...send, as: { user: 'ada' } }, 403, 'forbidden'),
    ]),
    ...reads.map((send) =>
      answers(`${named(send)} of another tenant is 404`, { ...send, as: stranger }, 404, 'project_not_found'),
    ),
    ...writes.map((send) =>
      answers(`${named(send)} of another tenant is 403`, { ...send, as: stranger }, 403, 'forbidden'),
    ),
    { name: 'the projects are listed', given: settings, send: { path: BOARDS, as: both }, expect: { status: 200 } },
    answers('commands of an unknown project are 404', { path: COMMANDS, as: both }, 404, 'project_not_found'),
    answers('a text of an unknown project is 404', { path: CONTENT, as: both }, 404, 'project_not_found'),
    answers('a text for an unknown project is 404', { ...put, as: both }, 404, 'scope_not_found'),
    answers(
      'a command over the network is admitted as on the socket: a repeated member',
      {
        method: 'POST',
        path: COMMANDS,
        as: both,
        headers: { 'content-type': 'application/json' },
        body: '{"a":1,"\\u0061":2}',
      },
      400,
      'canonicalization_failed',
    ),
  ],
  absent: [...reads, ...writes].map(notThere),
})
