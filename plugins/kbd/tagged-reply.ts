/**
 * Answers with an `ETag` that is derived from the standing of a project, on the local surface and on the runtime
 * surface.
 */

import type { PlainReply } from '../../core/http/reply.ts'
import type { SvcRequest } from '../../core/http/request.ts'
import type { Awaitable } from '../../core/kernel/values.ts'
import type { Standing } from './api.ts'

/** A JSON body, and the standing of the project that it shows. */
export interface StandingBody {
  readonly standing: Standing
  readonly body: string | Uint8Array
}

/** The parts of a tag. */
export interface TagParts {
  /** The name of the shown part: the project, and the parameters of the request. */
  readonly name: string
  /** The standing of the project before the body is read. */
  readonly standing: Standing
  /** The hash of a text, in hex. */
  readonly hash: (text: string) => string
}

/** Answers 304 without reading the body if the caller has the present tag, otherwise the body with its tag. */
export async function taggedReply(
  request: SvcRequest,
  { name, standing, hash }: TagParts,
  read: () => Awaitable<StandingBody>,
): Promise<PlainReply> {
  const headersOf = (shown: Standing) => ({ etag: `"${hash(tagText(name, shown))}"`, 'cache-control': 'no-cache' })
  const before = headersOf(standing)
  if (matches(request.header('if-none-match'), before.etag)) return { status: 304, headers: before }
  const { standing: shown, body } = await read()
  return { status: 200, headers: { ...headersOf(shown), 'content-type': 'application/json' }, body }
}

/** The revision is part of the tag because a frontier names only the lowest 64 heads. */
function tagText(name: string, { frontier, revision }: Standing): string {
  return JSON.stringify([name, revision, frontier.heads])
}

/** Whether `If-None-Match` contains the tag, by weak comparison (RFC 9110 section 13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}
