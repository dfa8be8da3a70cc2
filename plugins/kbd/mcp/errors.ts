/** The errors of tools for an agent: a code, a message, and a hint. */

import { CommandRefusal } from '../../../core/declare/command.ts'

/** The member `error` of an answer. Some codes have more members, such as `holder`. */
export interface ToolError {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly [member: string]: unknown
}

const READ_AGAIN = 'Read the board again, then decide.'
const ASK_OWNER = 'The owner of the service decides what this device may do; ask before trying again.'

/** The hint for each code. A hint of the refusal itself is used first. */
const HINTS: Readonly<Record<string, string>> = {
  service_away: 'The service is not running; nothing was changed. Try again later, or let its owner start it.',
  not_found: 'board_show lists the cards and columns with their ids.',
  ambiguous: 'Name it by its id, or by more of its title.',
  entity_not_found: 'board_show lists the cards and columns with their ids.',
  project_not_found: 'The server was started with --project; its name may be wrong.',
  scope_not_found: 'The server was started with --project; its name may be wrong.',
  input_invalid: 'The input schema of the tool says what it takes.',
  command_invalid: 'The member that `member` names is not allowed as it is.',
  claim_held: 'Take another card, or wait until `expiresAtMs` of the holder; do not work on it meanwhile.',
  claim_not_held: 'The lease ended or another device has it. Stop working on the card; acquire it anew to go on.',
  claim_limit: 'Release cards that you do not work on.',
  signer_unknown: ASK_OWNER,
  signer_revoked: ASK_OWNER,
  signer_not_in_scope: ASK_OWNER,
  signature_invalid: ASK_OWNER,
  frontier_mismatch: READ_AGAIN,
  conflict_stale: READ_AGAIN,
  conflict_not_found: READ_AGAIN,
  entity_exists: READ_AGAIN,
  device_behind: READ_AGAIN,
  project_full: ASK_OWNER,
  request_from_future: 'The clock of this machine is ahead of the service.',
  request_stale: 'The clock of this machine is behind the service.',
  token_missing: 'Start the server with --token-file, or with SVC_TOKEN in its environment.',
  runtime_away: 'The runtime surface does not answer; go on working, and report later.',
  run_exists: 'Report under another runId.',
  run_event_order: 'A run begins with started and ends once, with finished or failed.',
  rate_limited: 'Wait a while, then report again.',
  forbidden: ASK_OWNER,
}

/** Converts an error of a tool. Only refusals are shown in detail. */
export function toToolError(error: unknown): ToolError {
  if (!(error instanceof CommandRefusal))
    return { code: 'internal_error', message: 'The tool failed.', hint: 'The log of the server on stderr says more.' }
  const { code, message, details } = error
  const { code: _, message: detailed, hint, ...rest } = details
  return {
    ...rest,
    code,
    message: typeof detailed === 'string' ? detailed : message,
    hint: typeof hint === 'string' ? hint : (HINTS[code] ?? 'Nothing was changed.'),
  }
}
