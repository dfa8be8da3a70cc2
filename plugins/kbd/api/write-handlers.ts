/** The handlers of requests that change boards: signed commands, imports, texts. */

import { json } from '../../../core/http/reply.ts'
import { pathParam } from '../../../core/http/request.ts'
import type { Handler } from '../../../core/http/route.ts'
import type { BoardHandlers, Boards } from '../capabilities.ts'
import type { Entered, OnStage } from '../engine/engine.ts'
import { fail } from '../errors.ts'
import type { Import } from './import.ts'
import type { Measure } from './measure.ts'
import { readHash } from './read-handlers.ts'

/** The parts of the writing handlers. */
export interface WriteParts {
  readonly boards: Boards
  readonly measured: Measure
  readonly importBoards: Import
}

/** The handlers that enter commands, import boards and store texts. */
export type WriteHandlers = Readonly<Record<'import' | 'putContent', Handler>> & Pick<BoardHandlers, 'enter'>

/** Creates them. */
export function createWriteHandlers({ boards, measured, importBoards }: WriteParts): WriteHandlers {
  return {
    enter: async (request, caller) => {
      const bytes = await request.body()
      const project = pathParam(request, 'project')
      const enter = (onStage: OnStage): Promise<Entered> => boards.enter(project, bytes, onStage, caller?.user)
      const { status, ...entered } = await measured(request, enter, caller)
      return json(status, entered, status === 200 ? { 'idempotent-replayed': 'true' } : undefined)
    },
    import: async (request) => json(200, await importBoards(() => request.body())),
    putContent: async (request) => {
      const name = readHash(pathParam(request, 'sha256'))
      const project = request.queryParam('project')
      if (project !== undefined && !(await boards.exists(project))) throw fail('scope_not_found')
      const projects = project === undefined ? [] : [project]
      const isNew = await boards.putContent(name, await request.body(), { projects })
      return json(isNew ? 201 : 200, { sha256: name })
    },
  }
}
