/** The error codes of the kernel: failures of composing a service, and of answering a request on any surface. */

import { defineErrors, type ErrorCatalogue, type ErrorRow } from '../declare/errors.ts'
import {
  credential_missing,
  malformed_json,
  malformed_request,
  payload_too_large,
  retrySoon,
} from '../declare/shared-codes.ts'

declare const __PROGRAM__: boolean

/** The codes of the kernel's answers. */
export type HttpCode =
  | 'malformed_json'
  | 'malformed_request'
  | 'credential_missing'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'length_required'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal_error'
  | 'not_ready'
  | 'overloaded'
  | 'client_gone'

/**
 * Answers that any surface can give.
 *
 * @example
 * ```ts
 * import { httpFail } from 'svc/plugin'
 *
 * const error = httpFail('overloaded', { headers: { 'retry-after': '1' } })
 * error.status // → 503
 * ```
 */
export const httpFail: ErrorCatalogue<HttpCode> = defineErrors<HttpCode>({
  malformed_json,
  malformed_request,
  credential_missing,
  forbidden: { status: 403, message: 'The caller may not do this.' },
  not_found: { status: 404, message: 'There is nothing at this path.' },
  method_not_allowed: { status: 405, message: 'This path does not take this method.' },
  length_required: { status: 411, message: 'A request with a body needs a Content-Length header.' },
  payload_too_large,
  unsupported_media_type: { status: 415, message: 'The body has a media type that this route does not take.' },
  rate_limited: { status: 429, message: 'Too many requests; try again later.', headers: retrySoon },
  internal_error: { status: 500, message: 'Something failed on our side.' },
  not_ready: { status: 503, message: 'The service is not ready.', headers: retrySoon },
  overloaded: { status: 503, message: 'The service is at its limit; try again later.', headers: retrySoon },
  client_gone: { status: 499, message: 'The client went away before the request was complete.' },
})

type KernelCode =
  | 'ERR_PLUGIN_DUPLICATE'
  | 'ERR_PLUGIN_CYCLE'
  | 'ERR_PLUGIN_TIMEOUT'
  | 'ERR_PLUGIN_FAILED'
  | 'ERR_CAPABILITY_MISSING'
  | 'ERR_CAPABILITY_TWICE'
  | 'ERR_CAPABILITY_UNDECLARED'
  | 'ERR_CAPABILITY_NOT_PROVIDED'
  | 'ERR_FEATURE_ABSENT'
  | 'ERR_ROUTE_TWICE'
  | 'ERR_ROUTE_UNDECLARED'
  | 'ERR_ROUTE_UNBOUND'
  | 'ERR_ROUTE_OPEN'
  | 'ERR_ROUTE_AUTH'
  | 'ERR_ROUTE_LIMIT'
  | 'ERR_GUARD_TWICE'
  | 'ERR_SETTINGS_INVALID'
  | 'ERR_SETTING_TWICE'
  | 'ERR_KERNEL_STATE'
  | 'ERR_PART_UNAVAILABLE'

/** What to do about `ERR_PART_UNAVAILABLE`. A service worker, for example, allows no `import()`. */
export const PART_HINT = 'Deliver all files beside its entry, or take svc/minimal/single.'

const kernelRows: Readonly<Record<KernelCode, ErrorRow>> = {
  ERR_PLUGIN_DUPLICATE: { message: 'Two plugins have the same name.' },
  ERR_PLUGIN_CYCLE: { message: 'Plugins require each other in a circle.' },
  ERR_PLUGIN_TIMEOUT: { message: 'A plugin took too long.' },
  ERR_PLUGIN_FAILED: { message: 'A plugin failed.' },
  ERR_CAPABILITY_MISSING: { message: 'A plugin requires a capability that no plugin provides.' },
  ERR_CAPABILITY_TWICE: { message: 'Two plugins provide the same capability.' },
  ERR_CAPABILITY_UNDECLARED: {
    message: 'A plugin used or provided a capability that it did not declare.',
  },
  ERR_CAPABILITY_NOT_PROVIDED: { message: 'A plugin declared a capability and did not provide it.' },
  ERR_FEATURE_ABSENT: { message: 'This profile does not have the feature.' },
  ERR_ROUTE_TWICE: { message: 'Two plugins claim the same route.' },
  ERR_ROUTE_UNDECLARED: { message: 'A plugin bound a route that it did not declare.' },
  ERR_ROUTE_UNBOUND: { message: 'A plugin declared a route and bound no handler to it.' },
  ERR_ROUTE_OPEN: { message: 'A route may be public only on an open path of its surface.' },
  ERR_ROUTE_AUTH: { message: 'The `auth` of a route is unknown.' },
  ERR_ROUTE_LIMIT: {
    message: 'A route takes its body limit from a setting that is not a declared number.',
  },
  ERR_GUARD_TWICE: { message: 'Two plugins guard the same surface.' },
  ERR_SETTINGS_INVALID: { message: 'The settings are invalid.' },
  ERR_SETTING_TWICE: { message: 'Two plugins declare the same setting differently.' },
  ERR_KERNEL_STATE: { message: 'The kernel is not in the state that this call needs.' },
  ERR_PART_UNAVAILABLE: { message: PART_HINT },
}

/**
 * Failures of composition and lifecycle. They stop a start, and never reach a client. The code that throws one adds a
 * message with the names of the case. A library lacks the default messages.
 */
export const kernelFail: ErrorCatalogue<KernelCode> = defineErrors<KernelCode>(
  typeof __PROGRAM__ === 'undefined' || __PROGRAM__ ? kernelRows : ({} as typeof kernelRows),
)
