/**
 * Pushes over the network: the runtime surface takes them from users of one tenant, and shows each its own receipts.
 */

import { described, documented } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import type { PluginContext } from '../../../core/declare/plugin.ts'
import { flag, integer } from '../../../core/declare/settings.ts'
import type { Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { Clock } from '../../../core/kernel/environment.ts'
import type {} from '../../auth/capabilities.ts'
import type {} from '../../realtime/capabilities.ts'
import { cursorParameters } from '../api/answers.ts'
import { deprecationHook } from '../api/paths.ts'
import { syncSettings } from '../api/settings.ts'
import type { PushHandlers, RemoteCaller, RemoteCallers } from '../capabilities.ts'
import { fail, failInvitation, unixOnly } from '../errors.ts'
import { createRemoteCallers } from './callers.ts'
import { contract } from './contract.ts'
import { createInvitations, type Invitations } from './invitations/invitations.ts'
import { createRedeem } from './invitations/redeem.ts'
import { answers, invitationUse, pushRequest } from './operations.ts'
import { insertOwner, readOwner } from './statements.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'sync.remote': true
  }
}

const SCOPE = 'sync:push'
/** Admission bounds the depth of a push itself, so that a push gets the same refusal on every surface. */
const OWN_BOUNDS = { maxDepth: Number.MAX_SAFE_INTEGER, maxMembers: Number.MAX_SAFE_INTEGER }

/** The largest body of a push. */
const MAX_BODY = 'sync.max_body_bytes'
/**
 * Bytes that one user may send in a minute to pushes and boards: those of so many of the largest pushes, 16 MiB by
 * default.
 */
const BODIES_PER_MINUTE = 64
/** Most bytes of a request with a code. */
const MAX_DEVICE_BYTES = 1_024
/** How often open invitations note the time, by which a clock that is set back is noticed. */
const SETTLE_MS = 30_000

interface State {
  readonly redeem: (request: SvcRequest) => Promise<Reply>
  readonly callers: RemoteCallers
  readonly handlers: PushHandlers
}

/** The caller of a POST. */
function pusher(request: SvcRequest, { callers }: State): RemoteCaller {
  return callers.admit(request, SCOPE, () =>
    httpFail('forbidden', { message: 'Pushes of this tenant are not taken here.' }),
  )
}

/**
 * Checks that the caller handed in the push that the path names. Every other push gets the answer of one that does not
 * exist.
 */
async function requireOwner(request: SvcRequest, { callers }: State): Promise<void> {
  const unknown = (): Error => fail('push_not_found')
  const caller = callers.admit(request, SCOPE, unknown)
  const pushId = (request.params['push_id'] ?? '').toLowerCase()
  const owner = await callers.ownerOf(pushId)
  if (owner === undefined || owner.user !== caller.user || owner.tenant !== caller.tenant) throw unknown()
}

/** Notes the time of open invitations while the service runs. */
function keepTime(
  { onStart, onStop, log }: Pick<PluginContext, 'onStart' | 'onStop' | 'log'>,
  clock: Clock,
  invitations: Pick<Invitations, 'settle'>,
): void {
  let timer: unknown
  let settling: Promise<void> | undefined
  const settle = (): void => {
    settling = invitations.settle().catch((error: unknown) => log.warn('Invitations were not settled.', { error }))
    timer = clock.setTimeout(settle, SETTLE_MS)
  }
  onStart(settle)
  onStop(async () => {
    clock.clearTimeout(timer)
    await settling
  })
}

/** Feature `sync.remote`. */
export const feature: FeatureValue<'sync.remote', never, 'RemoteCallers'> = defineFeature({
  id: 'sync.remote',
  about: described({
    at: import.meta.url,
    summary: 'Pushes and receipts over the network, for users of one tenant; devices enrol by a code',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['sync.api', 'auth.guard'],
    platform: 'node',
    libraries: ['protocol'],
    packages: ['qrcode-generator'],
    commands: () => import('./invitations/commands.ts'),
    storePart: () => import('./store-part.ts'),
    contract,
  }),
  needs: { Delegation: 'required', PushHandlers: 'required', ReceiptStore: 'required', SyncShared: 'required' },
  provides: ['RemoteCallers'],
  settings: {
    'sync.remote': flag({
      default: false,
      summary: documented(
        'Whether the runtime surface takes pushes and commands of users of the tenant `sync.live_tenant`.',
      ),
    }),
    [MAX_BODY]: syncSettings[MAX_BODY],
    'sync.remote_signatures_per_minute': integer({
      default: 600,
      min: 1,
      summary: documented(
        'Signatures of one user over the network that are verified in a minute; of an acting key, 64 times as many for all its users together.',
      ),
    }),
  },
  errors: { rows: { ...fail.rows, ...failInvitation.rows } },
  setup({ settings, clock, get, ...ctx }): State {
    const [store, { liveTenant, sha256 }] = [get('ReceiptStore'), get('SyncShared')]
    const encoder = new TextEncoder()
    const callers = createRemoteCallers({
      enabled: settings['sync.remote'],
      ownerOf: (pushId) => store.read((ledger) => readOwner(ledger, pushId)),
      tenant: liveTenant,
      limits: {
        bytes: settings[MAX_BODY] * BODIES_PER_MINUTE,
        signatures: settings['sync.remote_signatures_per_minute'],
      },
      actingKey: get('Delegation').actingKey,
      monotonic: clock.monotonic,
      hash: (text) => sha256(encoder.encode(text)),
    })
    ctx.provide('RemoteCallers', callers)
    const invitations = createInvitations({ store, sha256, now: clock.now, uuid: ctx.random.uuid })
    if (callers.enabled) {
      ctx.hook('runtime', deprecationHook)
      keepTime(ctx, clock, invitations)
    }
    const redeem = createRedeem({ callers, invitations, shared: get('SyncShared'), monotonic: clock.monotonic })
    return { callers, handlers: get('PushHandlers'), redeem }
  },
  serves: ({ callers }) => callers.enabled,
  routes: (route) => [
    route('POST /api/v2/sync/pushes', {
      about: described({
        id: 'remotePush',
        access: { scopes: [SCOPE] },
        summary: 'Takes a signed push of a device, from a user with the scope sync:push.',
        request: pushRequest,
        answers: answers.push,
      }),
      body: { type: 'application/json', limit: 'sync.max_body_bytes', json: OWN_BOUNDS },
      handler({ request }, state) {
        const caller = pusher(request, state)
        caller.sending()
        const { user, verifying } = caller
        return state.handlers.push(request, {
          user,
          verifying,
          inserted: (ledger, pushId) => insertOwner(ledger, pushId, caller),
        })
      },
    }),
    route('GET /api/v2/sync/pushes/:push_id', {
      about: described({
        id: 'remoteReceipt',
        access: { scopes: [SCOPE] },
        summary: 'The receipt of a push that the caller handed in.',
        answers: answers.receipt,
      }),
      admit: ({ request }, state) => requireOwner(request, state),
      handler: ({ request }, { handlers }) => handlers.receipt(request),
    }),
    route('GET /api/v2/sync/pushes/:push_id/events', {
      about: described({
        id: 'remoteReceiptEvents',
        access: { scopes: [SCOPE] },
        summary: 'The events of a push that the caller handed in (SSE), strictly after a sequence.',
        parameters: cursorParameters,
        answers: answers.events,
      }),
      admit: ({ request }, state) => requireOwner(request, state),
      handler: ({ request }, { handlers }) => handlers.events(request),
    }),
    route('POST /api/v2/sync/devices', {
      about: described({
        id: 'enrolByInvitation',
        summary: 'Enrols a device by the code of an invitation. The same again is answered for a day.',
        access: { anonymous: false },
        request: invitationUse,
        answers: answers.devices,
      }),
      body: { type: 'application/json', maxBytes: MAX_DEVICE_BYTES },
      handler: ({ request }, { redeem }) => redeem(request),
    }),
    route('POST /api/v1/sync/push', {
      about: described({
        id: 'remoteUnsignedPush',
        summary: 'Deprecated: refused, because unsigned pushes are taken on the Unix socket only.',
        access: { transport: 'unix' },
        deprecated: true,
        answers: answers.unsigned,
      }),
      handler: () => {
        throw unixOnly()
      },
    }),
  ],
})
