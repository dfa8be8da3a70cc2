/** The routes by which other nodes read the commands and the texts of a project, and send texts. */
import { json } from '../../../../core/http/reply.ts'
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Handler } from '../../../../core/http/route.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import { fail } from '../../errors.ts'
import { callerOf, isHash, MAX_IDS, malformed, type ReadBody } from '../wire/bodies.ts'
import type { RequestReader } from './request-reader.ts'

/** What the routes need. */
export interface ServeProjectParts {
  readonly boards: Boards
  readonly readBody: ReadBody
  readonly maxBodyBytes: number
  /** Most bytes of texts of one peer that no command names yet. */
  readonly unnamedContentBytes: number
}

/** Bytes of a response that are not commands. */
const HEAD_BYTES = 8_192

/** Creates the handlers. */
export function createServeProject(
  { boards, readBody, maxBodyBytes, unnamedContentBytes }: ServeProjectParts,
  read: RequestReader,
): Readonly<Record<'take' | 'frontier' | 'content' | 'putContent', Handler>> {
  const projectOf = (request: SvcRequest): Promise<string> => read.project(request, request.params['project'])
  return {
    async take(request) {
      const project = await projectOf(request)
      const have = (request.queryParam('have') ?? '').split(',').filter((id) => id !== '')
      const after = request.queryParam('after')
      if (have.length > MAX_IDS || !have.every(isHash)) throw malformed('have')
      if (after !== undefined && !isHash(after)) throw malformed('after')
      const { page, frontier } = await boards.read((reads) => ({
        page: reads.missing(project, have, maxBodyBytes - HEAD_BYTES, after),
        frontier: reads.standing(project).frontier,
      }))
      return json(200, { commands: page.commands.map(({ envelope }) => envelope), frontier, more: page.more })
    },

    async frontier(request) {
      const project = await projectOf(request)
      const state = await boards.read((reads) => ({ ...reads.standing(project), root: reads.root(project) }))
      const { frontier, headCount, revision, root } = state
      return json(200, { frontier, headCount, revision, root })
    },

    async content(request) {
      const project = await projectOf(request)
      const hash = hashOf(request)
      const body = await boards.read((reads) => reads.contentFor(project, hash, callerOf(request)))
      if (body === undefined) throw fail('content_not_found')
      return { status: 200, headers: { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' }, body }
    },

    async putContent(request) {
      const project = await projectOf(request)
      const hash = hashOf(request)
      const bytes = await readBody(request)
      const peer = { name: callerOf(request), bytes: unnamedContentBytes }
      const isNew = await boards.putContent(hash, bytes, { projects: [project], peer })
      return json(isNew ? 201 : 200, { sha256: hash })
    },
  }
}

function hashOf({ params }: SvcRequest): string {
  const name = params['sha256']
  if (!isHash(name)) throw malformed('sha256')
  return name
}
