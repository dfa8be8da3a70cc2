/** Answers with an `ETag` that follows from where a project stands, on the local surface and on the runtime surface. */
import type { Awaitable } from '../../core/awaitable.ts'
import type { PlainReply } from '../../core/http/reply.ts'
import type { SvcRequest } from '../../core/http/request.ts'
import type { Standing } from './api.ts'

/** A JSON body, and the standing of the project that it shows. */
export interface StandingBody {
  readonly standing: Standing
  readonly body: string | Uint8Array
}

/** What a tag is made of. */
export interface TagParts {
  /** What is shown: the project, and which part of it. */
  readonly name: string
  /** Where the project stands before the body is read. */
  readonly standing: Standing
  /** The hash of a text, in hex. */
  readonly hash: (text: string) => string
}

/** 304 without a reading where the caller has what there is, otherwise the body with its tag. */
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

/** Over 64 heads the revision tells apart what the lowest 64 do not. */
function tagText(name: string, { frontier, revision }: Standing): string {
  return JSON.stringify([name, revision, frontier.heads])
}

/** RFC 9110 section 13.1.2: by weak comparison. */
function matches(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  return given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
