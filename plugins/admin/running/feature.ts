/**
 * What the running service does, for the owner of the machine: its settings in force, its callers and their streams.
 */
import { described } from '../../../core/declare/described.ts'
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { refusal } from '../../../core/declare/operation.ts'
import { transport_forbidden } from '../../../core/declare/shared-codes.ts'
import { clientAddress, toIsTrusted } from '../../../core/http/client-address.ts'
import { json, type Reply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import { withoutCredentials } from '../../../core/kernel/printable.ts'
import { serverSettings } from '../../../core/kernel/settings/server.ts'
import { createCallers } from './callers.ts'
import { contract } from './contract.ts'
import { callersSchema, settingsSchema } from './schemas.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'admin.running': true
  }
}

/** The codes of these routes. */
export const adminFail: ErrorCatalogue<'transport_forbidden'> = defineErrors<'transport_forbidden'>({
  transport_forbidden,
})

/** Feature `admin.running`. */
export const feature: FeatureValue<'admin.running'> = defineFeature({
  id: 'admin.running',
  about: described({
    at: import.meta.url,
    summary:
      'For the owner of the machine: the settings in force and the callers of the running service; the command svc who',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['cli', 'sync.api'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    contract,
  }),
  settings: { 'server.trusted_proxies': serverSettings['server.trusted_proxies'] },
  errors: adminFail,
  setup(ctx) {
    const isTrusted = toIsTrusted(ctx.settings['server.trusted_proxies'])
    const callers = createCallers({ now: ctx.clock.now, addressOf: (request) => clientAddress(request, isTrusted) })
    ctx.hook('runtime', callers.hook)
    return { callers, now: ctx.clock.now, settings: ctx.settingsInForce }
  },
  routes: (route) => [
    route('local GET /api/v1/admin/settings', {
      about: described({
        id: 'adminSettings',
        summary: 'The settings in force, of the running service and not of its files.',
        answers: {
          200: { description: 'Every setting.', schema: settingsSchema },
          403: refusal('transport_forbidden'),
        },
      }),
      handler: ({ request }, { settings }) =>
        onSocket(request, withoutCredentials(JSON.stringify({ settings: settings() }))),
    }),
    route('local GET /api/v1/admin/callers', {
      about: described({
        id: 'adminCallers',
        summary: 'Who calls the runtime surface now, and which streams are open, by user.',
        answers: {
          200: { description: 'Callers with a stream, or a request in the last 5 minutes.', schema: callersSchema },
          403: refusal('transport_forbidden'),
        },
      }),
      handler: ({ request }, { callers, now }) =>
        onSocket(request, JSON.stringify({ now_ms: now(), callers: callers.list() })),
    }),
  ],
})

/** Answers on the Unix socket alone: the token of `sync.tcp` is for devices, not for the owner of the machine. */
function onSocket(request: SvcRequest, body: string): Reply {
  if (request.peer.transport !== 'unix')
    throw adminFail('transport_forbidden', { message: 'This route is open on the Unix socket only.' })
  return { ...json(200, null, { 'cache-control': 'no-store' }), body }
}
