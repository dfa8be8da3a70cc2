/** Reads the parts of a request that several routes of peers have. */
import type { SvcRequest } from '../../../../core/http/request.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { SyncShared } from '../../../sync/capabilities.ts'
import { fail } from '../../errors.ts'
import { listOf, type ReadBody } from '../wire/bodies.ts'

/** What reading requests needs. */
export interface RequestReaderParts {
  readonly boards: Pick<Boards, 'exists'>
  readonly shared: Pick<SyncShared, 'admitJson'>
  readonly readBody: ReadBody
}

/** Reads requests. */
export interface RequestReader {
  /** The parsed body. */
  parse(request: SvcRequest): Promise<unknown>
  /**
   * The project that a request names. Rejects with `scope_not_found` if this node has no such project, and also if the
   * entry of the caller does not name it, so that a caller cannot find out which projects exist.
   */
  project(request: SvcRequest, name: unknown): Promise<string>
}

/** Creates the reader. */
export function createRequestReader({ boards, shared, readBody }: RequestReaderParts): RequestReader {
  return {
    parse: async (request) => shared.admitJson(await readBody(request)),
    async project({ identity }, name) {
      if (typeof name !== 'string' || !identity.scopes.includes(name) || !(await boards.exists(name)))
        throw fail('scope_not_found')
      return name
    },
  }
}

/** Most commands of one body. The smallest commands take about 300 bytes. */
const MAX_COMMANDS = 2_048

/** The commands of a body. Throws `malformed_request` if the value is no list, or a list of more than 2 048 values. */
export function commandsOf(value: unknown): readonly unknown[] {
  return listOf(value, '/commands', MAX_COMMANDS)
}
