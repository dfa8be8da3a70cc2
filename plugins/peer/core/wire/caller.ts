import type { SvcRequest } from '../../../../core/http/request.ts'

/** The endpoint id of the caller, as the guard of the peer surface has set it. @throws Error on any other surface */
export function callerOf({ identity }: SvcRequest): string {
  if (identity.user === null) throw new Error('The request did not pass the guard of the peer surface.')
  return identity.user
}
