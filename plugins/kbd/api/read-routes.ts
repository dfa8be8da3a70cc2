/** What is read of boards: each answer is of one moment. */
import { json, type PlainReply } from '../../../core/http/reply.ts'
import type { SvcRequest } from '../../../core/http/request.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { Standing } from '../api.ts'
import type { Boards } from '../capabilities.ts'
import type { KbdReads } from '../engine/reads/reads.ts'
import { fail } from '../errors.ts'
import { readNumber, readWord, wrong } from './query.ts'
import type { KbdRoute } from './routes.ts'

/** Entries of a list at most, and where nothing is said. */
const MAX_LIST = 1_000
const DEFAULT_LIST = 100

const noStore = { 'cache-control': 'no-store' }
const CLAIM_STATES = ['held', 'expired', 'released', 'void', 'all'] as const
const HASH = /^[0-9a-f]{64}$/

/** The parts of the reading routes. */
export interface ReadParts {
  readonly boards: Boards
  readonly now: () => number
  /** The hash of a text, in hex. */
  readonly hash: (text: string) => string
}

type Name = Extract<
  KbdRoute,
  'projects' | 'project' | 'card' | 'commands' | 'claims' | 'conflicts' | 'conflict' | 'content'
>

/** The handlers that read projects and content. */
export function createReadRoutes({ boards, now, hash }: ReadParts): Readonly<Record<Name, Handler>> {
  /** Reads a project that exists; 404 `project_not_found` otherwise. */
  const inProject = async <T>(request: SvcRequest, work: (reads: KbdReads, project: string) => T): Promise<T> => {
    const project = request.params['project']!
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
    project: (request) =>
      inProject(request, (reads, project): PlainReply => {
        const etag = `"${hash(tagText(project, reads.standing(project)))}"`
        const headers = { etag, 'cache-control': 'no-cache' }
        if (matches(request.header('if-none-match'), etag)) return { status: 304, headers }
        const body = boards.snapshotBytes(reads, project)
        return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body }
      }),
    card: answer((reads, project, { params }) => reads.card(project, params['card']!.toLowerCase())),
    commands: answer((reads, project, request) => {
      const after = request.queryParam('after')
      const limit = readNumber(request, 'limit', DEFAULT_LIST, 1, MAX_LIST)
      const page = after === undefined || HASH.test(after) ? reads.commands(project, after, limit) : undefined
      if (page === undefined) throw wrong('after')
      return { commands: page.commands, next: page.more ? page.commands[page.commands.length - 1]!.id : null }
    }),
    claims: answer((reads, project, request) => {
      const nowMs = now()
      const state = readWord(request, 'state', CLAIM_STATES) ?? 'held'
      return { claims: reads.claims(project, state, nowMs), nowMs }
    }),
    conflicts: answer((reads, project) => ({ conflicts: reads.conflicts(project), ...reads.standing(project) })),
    conflict: answer((reads, project, { params }) => reads.conflict(project, params['conflict']!)),
    async content({ params }) {
      const name = readHash(params['sha256']!)
      const body = await boards.read((reads) => reads.content.get(name))
      if (body === undefined) throw fail('content_not_found')
      // Redaction ends it at once, so nothing on the way may keep it.
      return { status: 200, headers: { 'content-type': 'application/octet-stream', ...noStore }, body }
    },
  }
}

/** The name of a content; 400 where it is none. */
export function readHash(name: string): string {
  if (!HASH.test(name)) throw wrong('sha256')
  return name
}

/** What the tag of a project is made of. Over 64 heads the revision tells apart what the lowest 64 do not. */
function tagText(project: string, { frontier, revision }: Standing): string {
  return JSON.stringify([project, revision, frontier.heads])
}

/** RFC 9110 section 13.1.2: by weak comparison. */
function matches(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  return given.trim() === '*' || given.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
