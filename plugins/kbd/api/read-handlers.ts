/** The handlers of requests that read boards. Each answer shows one moment. */

import { readNumber, readWord, wrong } from '../../../core/http/query.ts'
import { json } from '../../../core/http/reply.ts'
import { pathParam, type SvcRequest } from '../../../core/http/request.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { Boards } from '../capabilities.ts'
import type { KbdReads } from '../engine/reads/reads.ts'
import { fail } from '../errors.ts'
import { taggedReply } from '../tagged-reply.ts'

/** The most entries of a list, and the default. */
const MAX_LIST = 1_000
const DEFAULT_LIST = 100
/**
 * Most characters of a page of conflicts, so that reading the page takes milliseconds. One longer conflict comes alone.
 */
const MAX_CONFLICT_CHARS = 2_097_152

const noStore = { 'cache-control': 'no-store' }
const CLAIM_STATES = ['held', 'future', 'expired', 'released', 'void', 'all'] as const
const HASH = /^[0-9a-f]{64}$/
const HASH_FORM = '64 lower-case hex digits'

/** The parts of the reading handlers. */
export interface ReadParts {
  readonly boards: Boards
  readonly now: () => number
  /** The hash of a text, in hex. */
  readonly hash: (text: string) => string
}

type Name = 'projects' | 'project' | 'card' | 'commands' | 'claims' | 'conflicts' | 'conflict' | 'content'

/** The handlers that read projects and content. */
export type ReadHandlers = Readonly<Record<Name, Handler>>

/** Creates them. */
export function createReadHandlers({ boards, now, hash }: ReadParts): ReadHandlers {
  /** Reads a project that exists; 404 `project_not_found` otherwise. */
  const inProject = async <T>(request: SvcRequest, work: (reads: KbdReads, project: string) => T): Promise<T> => {
    const project = pathParam(request, 'project')
    if (!(await boards.exists(project))) throw fail('project_not_found')
    return boards.read((reads) => work(reads, project))
  }
  const answer =
    (work: (reads: KbdReads, project: string, request: SvcRequest) => unknown): Handler =>
    async (request) =>
      json(200, await inProject(request, (reads, project) => work(reads, project, request)), noStore)

  return {
    projects: async () => {
      const names = await boards.projects()
      const projects = await boards.read((reads) =>
        names.map((project) => ({ project, root: reads.root(project), ...reads.standing(project) })),
      )
      return json(200, { projects }, noStore)
    },
    async project(request) {
      const project = pathParam(request, 'project')
      const standing = await inProject(request, (reads) => reads.standing(project))
      return taggedReply(request, { name: project, standing, hash }, async () => {
        const { standing, bytes } = await boards.snapshot(project)
        return { standing, body: bytes }
      })
    },
    card: answer((reads, project, request) => reads.card(project, pathParam(request, 'card').toLowerCase())),
    commands: answer((reads, project, request) => {
      const after = request.queryParam('after')
      const limit = readNumber(request, 'limit', DEFAULT_LIST, 1, MAX_LIST)
      const page = after === undefined || HASH.test(after) ? reads.commands(project, after, limit) : undefined
      if (page === undefined) throw wrong('after', 'the id of a command of this project')
      return { commands: page.commands, next: (page.more && page.commands.at(-1)?.id) || null }
    }),
    claims: answer((reads, project, request) => {
      const nowMs = now()
      const state = readWord(request, 'state', CLAIM_STATES) ?? 'held'
      return { claims: reads.claims(project, state, nowMs), nowMs }
    }),
    async conflicts(request) {
      const project = pathParam(request, 'project')
      const after = request.queryParam('after')
      const limit = readNumber(request, 'limit', DEFAULT_LIST, 1, MAX_LIST)
      if (after !== undefined && !HASH.test(after)) throw wrong('after', HASH_FORM)
      const page = await inProject(request, (reads) => ({
        standing: reads.standing(project),
        ...reads.conflictPage(project, after ?? '', limit, MAX_CONFLICT_CHARS),
      }))
      const { standing, texts, next } = page
      const rest = JSON.stringify({ next, ...standing }).slice(1)
      return taggedReply(request, { name: `${project} ${after} ${limit}`, standing, hash }, () => ({
        standing,
        body: `{"conflicts":[${texts.join()}],${rest}`,
      }))
    },
    conflict: answer((reads, project, request) => reads.conflict(project, pathParam(request, 'conflict'))),
    async content(request) {
      const name = readHash(pathParam(request, 'sha256'))
      const body = await boards.read((reads) => reads.content.get(name))
      if (body === undefined) throw fail('content_not_found')
      // A redaction takes effect at once, so no cache may keep the text.
      return { status: 200, headers: { 'content-type': 'application/octet-stream', ...noStore }, body }
    },
  }
}

/** Checks the SHA-256 of a text in a path. Throws 400 `malformed_request` if it is none. */
export function readHash(name: string): string {
  if (!HASH.test(name)) throw wrong('sha256', HASH_FORM)
  return name
}
