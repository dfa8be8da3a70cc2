/**
 * What the owner of the machine may do to the users of every tenant: routes of the Unix socket, and `svc key` and
 * `svc user`.
 */
import { described } from '../../../core/declare/described.ts'
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { transport_forbidden } from '../../../core/declare/shared-codes.ts'
import { json, type Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type {} from '../capabilities.ts'
import { keyCredentialId } from '../credential-ids.ts'
import { contract } from './contract.ts'
import { createKey, listKeys, revokeKey } from './keys.ts'
import { answers, keyRequest, parameters } from './operations.ts'
import { eraseUser, restoreUser, revokeUser, tenantsOf } from './users.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'auth.users-admin': true
  }
}

/** The refusals of these routes. */
export const adminFail: ErrorCatalogue<'transport_forbidden'> = defineErrors({ transport_forbidden })

/** A name of 100 and 100 scopes of 128 characters take less. */
const MAX_BODY_BYTES = 16_384

/**
 * Answers the owner of the machine. Over TCP a token is enough, which others may have; the socket admits that user
 * alone.
 */
async function toOwner(request: SvcRequest, status: number, work: () => Promise<unknown>): Promise<Reply> {
  if (request.peer.transport !== 'unix')
    throw adminFail('transport_forbidden', { message: 'This route is open on the Unix socket only.' })
  return json(status, await work(), { 'cache-control': 'no-store' })
}

/** Feature `auth.users-admin`. */
export const feature: FeatureValue<'auth.users-admin'> = defineFeature({
  id: 'auth.users-admin',
  about: described({
    at: import.meta.url,
    summary: 'API keys and users of every tenant for the owner of the machine: the commands svc key and svc user',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['auth.api-keys', 'auth.revocations', 'sync.api'],
    platform: 'node',
    commands: () => import('./commands/commands.ts'),
    contract,
  }),
  needs: {
    ApiKeys: 'required',
    Authentication: 'required',
    Delegation: 'required',
    UserRevocations: 'required',
    UserRuns: 'optional',
  },
  errors: adminFail,
  setup(ctx) {
    const { announceRevoked } = ctx.get('Authentication')
    return {
      keys: ctx.get('ApiKeys'),
      delegation: ctx.get('Delegation'),
      revocations: ctx.get('UserRevocations'),
      runs: ctx.get('UserRuns'),
      now: ctx.clock.now,
      announceErased: (id: string): void => announceRevoked(keyCredentialId(id)),
    }
  },
  routes: (route) => [
    route('local GET /api/v1/admin/tenants', {
      about: described({
        id: 'tenantsOfUser',
        summary: 'The tenants that have a user: in which it has API keys or runs, or is revoked.',
        parameters: parameters.tenants,
        answers: answers.tenants,
      }),
      handler: ({ request }, state) => toOwner(request, 200, () => tenantsOf(request, state)),
    }),
    route('local GET /api/v1/admin/keys', {
      about: described({
        id: 'listAllKeys',
        summary: 'The API keys of one or of all tenants, newest first, in pages.',
        parameters: parameters.listKeys,
        answers: answers.listKeys,
      }),
      handler: ({ request }, state) => toOwner(request, 200, () => listKeys(request, state)),
    }),
    route('local POST /api/v1/admin/keys', {
      about: described({
        id: 'createAnyKey',
        summary: 'Creates an API key of any user, with any scopes, also in the place of another key.',
        request: keyRequest,
        answers: answers.createKey,
      }),
      body: { type: 'application/json', maxBytes: MAX_BODY_BYTES },
      handler: ({ request }, state) => toOwner(request, 201, () => createKey(request, state)),
    }),
    route('local POST /api/v1/admin/keys/:id/revoke', {
      about: described({
        id: 'revokeAnyKey',
        summary: 'Revokes an API key of any user. A second time changes nothing.',
        answers: answers.revokeKey,
      }),
      handler: ({ request }, state) => toOwner(request, 200, () => revokeKey(request, state)),
    }),
    route('local POST /api/v1/admin/users/revoke', {
      about: described({
        id: 'revokeAnyUser',
        summary: 'Ends every credential of a user of any tenant that was issued before now.',
        parameters: parameters.revokeUser,
        answers: answers.revokeUser,
      }),
      handler: ({ request }, state) => toOwner(request, 200, () => revokeUser(request, state)),
    }),
    route('local POST /api/v1/admin/users/restore', {
      about: described({
        id: 'restoreAnyUser',
        summary:
          'Lifts the revocation of a user of any tenant: tokens without iat count again. What was issued before stays refused.',
        parameters: parameters.user,
        answers: answers.restoreUser,
      }),
      handler: ({ request }, state) => toOwner(request, 200, () => restoreUser(request, state)),
    }),
    route('local POST /api/v1/admin/users/erase', {
      about: described({
        id: 'eraseUser',
        summary: 'Removes the API keys and runs of a user of any tenant, and the reasons of its revocations.',
        parameters: parameters.user,
        answers: answers.eraseUser,
      }),
      handler: ({ request }, state) => toOwner(request, 200, () => eraseUser(request, state)),
    }),
  ],
})
