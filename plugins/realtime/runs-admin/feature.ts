/**
 * What the owner of the machine may do to the runs of every tenant: routes of the Unix socket, and the command
 * `svc run`.
 */
import { described } from '../../../core/declare/described.ts'
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { transport_forbidden } from '../../../core/declare/shared-codes.ts'
import { json } from '../../../core/http/reply.ts'
import type {} from '../../auth/capabilities.ts'
import type {} from '../capabilities.ts'
import { contract } from './contract.ts'
import { cancelAnyRun, listRuns } from './handlers.ts'
import { answers, parameters } from './operations.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'realtime.runs-admin': true
  }
}

/** The refusals of these routes. */
export const adminFail: ErrorCatalogue<'transport_forbidden'> = defineErrors({ transport_forbidden })

const noStore = { 'cache-control': 'no-store' }

/** Feature `realtime.runs-admin`. */
export const feature: FeatureValue<'realtime.runs-admin'> = defineFeature({
  id: 'realtime.runs-admin',
  about: described({
    at: import.meta.url,
    summary: 'Runs of every tenant for the owner of the machine: the command svc run',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['auth.users-admin', 'realtime.runs'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    contract,
  }),
  needs: { Delegation: 'required', Runs: 'required' },
  errors: adminFail,
  setup(ctx) {
    const delegation = ctx.get('Delegation')
    return {
      runs: ctx.get('Runs'),
      userId: delegation.userId,
      record: delegation.record,
      /** Over TCP a token is enough, which others may have; the socket admits the owner of the machine alone. */
      checkOwner: (transport: string): void => {
        if (transport !== 'unix')
          throw adminFail('transport_forbidden', { message: 'This route is open on the Unix socket only.' })
      },
    }
  },
  routes: (route) => [
    route('local GET /api/v1/admin/runs', {
      about: described({
        id: 'listAllRuns',
        summary: 'The runs of one or of all tenants, newest first, in pages.',
        parameters: parameters.list,
        answers: answers.list,
      }),
      handler: async ({ request }, state) => {
        state.checkOwner(request.peer.transport)
        return json(200, await listRuns(request, state), noStore)
      },
    }),
    route('local POST /api/v1/admin/runs/:run_id/cancel', {
      about: described({
        id: 'cancelAnyRun',
        summary: 'Ends a run of any user as cancelled. A run that has ended stays as it is.',
        parameters: parameters.cancel,
        answers: answers.cancel,
      }),
      handler: async ({ request }, state) => {
        state.checkOwner(request.peer.transport)
        return json(200, await cancelAnyRun(request, state), noStore)
      },
    }),
  ],
})
