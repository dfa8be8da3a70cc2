/** What an acknowledgement says of a push. */
import type { Acknowledgement, Failure, Pinned } from '../../../sync/api.ts'
import type { IncomingPush } from '../../../sync/capabilities.ts'

/** The members of an acknowledgement that change with the progress of a push. */
export type Outcome = Pick<Acknowledgement, 'state' | 'failure' | 'appliedFrontier'>

/** The push is known here and not applied yet. */
export const RECEIVED: Outcome = { state: 'received', failure: null, appliedFrontier: null }

/** The push is applied. */
export function toApplied({ family }: IncomingPush, pinned: Pinned | undefined): Outcome {
  const appliedFrontier = family.takesFrontier ? { heads: pinned?.frontier.heads ?? [] } : null
  return { state: 'applied', failure: null, appliedFrontier }
}

/** The push is rejected. */
export function toRejected(failure: Failure): Outcome {
  return { state: 'rejected', failure, appliedFrontier: null }
}

const MESSAGES: Readonly<Record<string, string>> = {
  signer_unknown: 'The signing device is not enrolled here.',
  signer_revoked: 'The signing device is revoked here, or its enrolment has expired.',
  signer_not_in_scope: 'The signing device is not enrolled here for this domain.',
  request_id_conflict: 'This requestId belongs to another push here.',
}

/** The failure of a final refusal. Once its reason is removed, the device has to sign a new push. */
export function toFailure(code: string): Failure {
  return { code, message: MESSAGES[code] ?? 'The push was refused.', retryable: false }
}
