/** Revocation of users: `/api/svc/auth/revocations`. */

import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { refusal } from '../../../core/declare/operation.ts'
import { integer } from '../../../core/declare/settings.ts'
import { empty, json } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { shareOf } from '../../../core/kernel/values.ts'
import type { Delegation, UserRevocations } from '../api.ts'
import type {} from '../capabilities.ts'
import { createMemoryRevocationStore } from '../revoked/memory-store.ts'
import { createRevokedList, type RevokedList } from '../revoked/revoked-list.ts'
import { parseBody } from '../token/json-object.ts'
import { contract } from './contract.ts'
import { pageParameters, revocationList, revocationMade, revocationRequest } from './operations.ts'
import { readPage, readRevocation, toView } from './requests.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'auth.revocations': true
  }
}

/** Of all revocations, the share that one tenant may have. */
const TENANT_SHARE = 0.5

/** Expired revocations of tokens are dropped from memory at most once in this time. */
const PRUNE_MS = 3_600_000

/** A name of 256 and a reason of 256 characters take less. */
const MAX_BODY_BYTES = 16_384

const noStore = { 'cache-control': 'no-store' }

const access = { scopes: ['svc:users:revoke'] }

interface State {
  readonly list: RevokedList
  readonly delegation: Delegation
  readonly revocations: UserRevocations
}

/** Feature `auth.revocations`. */
export const feature: FeatureValue<'auth.revocations'> = defineFeature({
  id: 'auth.revocations',
  about: described({
    at: import.meta.url,
    summary: 'Ends all credentials of a user, or one token, on every node',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['auth.jwt'],
    platform: 'web',
    contract,
  }),
  needs: { Authentication: 'required', Delegation: 'required', RevocationStore: 'optional' },
  provides: ['RevokedUsers', 'UserRevocations'],
  settings: {
    'security.max_revocations': integer({
      default: 100_000,
      min: 2,
      max: 1_000_000,
      summary: documented('Most revocations of users and tokens that are kept; a tenant may have half of them.'),
    }),
  },
  setup(ctx): State {
    const { clock, log } = ctx
    const authentication = ctx.get('Authentication')
    const store = ctx.get('RevocationStore') ?? createMemoryRevocationStore()
    const list = createRevokedList(clock.now)
    let prunedAtMs = clock.monotonic()
    store.follow((changed) => {
      for (const row of changed) list.apply(row)
      if (clock.monotonic() - prunedAtMs >= PRUNE_MS) {
        prunedAtMs = clock.monotonic()
        list.prune()
      }
      authentication.announceChange()
    })
    if (store.checkAge !== undefined) authentication.onTokenUse(store.checkAge)
    ctx.provide('RevokedUsers', list)
    const maxRevocations = ctx.settings['security.max_revocations']
    const bounds = { maxRevocations, maxRevocationsPerTenant: shareOf(maxRevocations, TENANT_SHARE) }
    let warned = store.durable
    const revocations: UserRevocations = {
      durable: store.durable,
      tenantsOf: list.tenantsOf,
      eraseReasons: (subject) => store.eraseReasons?.(subject) ?? 0,
      async revoke(draft) {
        const row = await store.revoke(draft, clock.now(), bounds)
        if (row === null)
          throw httpFail('overloaded', {
            message: 'There is no room for another revocation.',
            headers: { 'retry-after': '60' },
            hint: 'security.max_revocations',
          })
        if (!warned)
          log.warn('Revocations are kept in memory: after a restart the tokens count again.', {
            hint: 'Change security.jwt_secret, or the keys of the issuer, to end all tokens.',
          })
        warned = true
        return row
      },
      async lift(subject) {
        const row = await store.lift(subject, clock.now())
        if (row === null) throw httpFail('not_found', { message: 'This user is not revoked.' })
        return row
      },
    }
    ctx.provide('UserRevocations', revocations)
    return { list, delegation: ctx.get('Delegation'), revocations }
  },
  routes: (route) => [
    route('POST /api/svc/auth/revocations', {
      about: described({
        id: 'revokeUser',
        access,
        summary: 'Ends every credential of a user of the tenant that was issued before now, or one token of the user.',
        request: revocationRequest,
        answers: {
          201: { description: 'Revoked on this node; on every other one within a second.', schema: revocationMade },
        },
      }),
      body: { type: 'application/json', maxBytes: MAX_BODY_BYTES },
      handler: ({ request }, state) => revoke(request, state),
    }),
    route('GET /api/svc/auth/revocations', {
      about: described({
        id: 'listRevocations',
        access,
        summary: 'The revocations of the tenant, newest first.',
        parameters: pageParameters,
        answers: {
          200: { description: 'A page of revocations.', schema: revocationList },
          400: refusal('malformed_request'),
        },
      }),
      handler: ({ request }, { delegation, list }) => {
        const tenant = demandTenant(request, delegation)
        const { limit, before } = readPage(request)
        const rows = list.page(tenant, limit + 1, before)
        const shown = rows.slice(0, limit)
        const next = rows.length > limit ? String(shown.at(-1)?.number) : null
        const revocations = shown.map((row) => ({ ...toView(row), lifted_at_ms: row.liftedAtMs }))
        return json(200, { revocations, next }, noStore)
      },
    }),
    route('DELETE /api/svc/auth/revocations/:user_id', {
      about: described({
        id: 'liftRevocation',
        access,
        summary:
          'Lifts the revocation of a user: tokens without iat count again. What was issued before stays refused.',
        answers: { 204: { description: 'Lifted, now or before.' }, 404: refusal('not_found') },
      }),
      handler: ({ request }, state) => lift(request, state),
    }),
  ],
})

async function revoke(request: SvcRequest, { delegation, revocations }: State): Promise<ReturnType<typeof json>> {
  const tenant = demandTenant(request, delegation)
  const row = await revocations.revoke(readRevocation(parseBody(await request.body()), tenant, delegation.userId))
  const { user, jti, reason } = row
  delegation.record(request.identity, jti === null ? 'A user is revoked.' : 'A token is revoked.', {
    tenant,
    user,
    ...(jti !== null && { jti }),
    ...(reason !== null && { reason }),
  })
  return json(201, { ...toView(row), ...(!revocations.durable && { durable: false }) }, noStore)
}

async function lift(request: SvcRequest, { delegation, revocations }: State): Promise<ReturnType<typeof empty>> {
  const tenant = demandTenant(request, delegation)
  const user = delegation.userId(request.params['user_id'], 'user_id')
  await revocations.lift({ tenant, user })
  delegation.record(request.identity, 'The revocation of a user is lifted.', { tenant, user })
  return empty(204)
}

/** The tenant of a caller with the scope. @throws SvcError `forbidden` */
function demandTenant({ identity }: SvcRequest, delegation: Delegation): string {
  delegation.demand(identity, 'svc:users:revoke')
  // A verified user always has a tenant.
  return identity.tenant ?? ''
}
