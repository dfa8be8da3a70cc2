/**
 * Boards over the network: users of one tenant list projects, read their commands and texts, and hand in signed
 * commands and texts.
 */

import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { json } from '../../../core/http/reply.ts'
import { pathParam, type SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type {} from '../../auth/capabilities.ts'
import type { RemoteCaller, RemoteCallers } from '../../sync/capabilities.ts'
import { pageParameters } from '../api/answers.ts'
import { readHash } from '../api/read-handlers.ts'
import { kbdSettings } from '../api/settings.ts'
import type { Boards } from '../capabilities.ts'
import { fail } from '../errors.ts'
import { contract } from './contract.ts'
import { answers, commandEnvelope, READ, WRITE } from './operations.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'kbd.remote': true
  }
}

/** Commands bound their depth themselves, so that a command gets the same refusal on every surface. */
const OWN_BOUNDS = { maxDepth: Number.MAX_SAFE_INTEGER, maxMembers: Number.MAX_SAFE_INTEGER }

/** The bytes of texts that no command names, of all sources together. */
const UNNAMED = 'kbd.unnamed_content_bytes'
/** The share of one user in them, so that one user alone leaves room for others. */
const USER_SHARE = 1 / 8

/** The caller of a reading request. Other tenants get the answer for a project that does not exist. */
const reader = (request: SvcRequest, callers: RemoteCallers): RemoteCaller =>
  callers.admit(request, 'kbd:read', () => fail('project_not_found'))

/** The caller of a writing request, whose body is counted. */
function writer(request: SvcRequest, callers: RemoteCallers): RemoteCaller {
  const caller = callers.admit(request, 'kbd:write', () =>
    httpFail('forbidden', { message: 'Boards of this tenant are not here.' }),
  )
  caller.sending()
  return caller
}

/** The project in the path of a request. Throws `absent()` if it does not exist. */
async function projectOf(request: SvcRequest, boards: Boards, absent: () => Error): Promise<string> {
  const project = pathParam(request, 'project')
  if (!(await boards.exists(project))) throw absent()
  return project
}

/** Feature `kbd.remote`. */
export const feature: FeatureValue<'kbd.remote'> = defineFeature({
  id: 'kbd.remote',
  about: described({
    at: import.meta.url,
    summary: 'Boards over the network: projects, commands and texts for users with kbd:read and kbd:write',
    stability: 'experimental',
    since: '0.1.0',
    requires: ['kbd.api', 'sync.remote'],
    platform: 'node',
    contract,
  }),
  needs: { BoardHandlers: 'required', Boards: 'required', Delegation: 'required', RemoteCallers: 'required' },
  settings: { [UNNAMED]: kbdSettings[UNNAMED] },
  errors: fail,
  setup: ({ settings, get }) => ({
    boards: get('Boards'),
    callers: get('RemoteCallers'),
    handlers: get('BoardHandlers'),
    unnamedBytes: Math.ceil(settings[UNNAMED] * USER_SHARE),
    unnamedBytesOfKey: Math.ceil(settings[UNNAMED] * get('Delegation').actingKeyShare),
  }),
  serves: ({ callers }) => callers.enabled,
  routes: (route) => [
    route('GET /api/svc/kbd', {
      about: described({
        id: 'remoteProjects',
        summary: 'All projects, with their frontiers and revisions, for users with kbd:read.',
        access: READ,
        answers: answers.projects,
      }),
      admit: ({ request }, { callers }) => void reader(request, callers),
      handler: ({ request }, { handlers }) => handlers.projects(request),
    }),
    route('GET /api/svc/kbd/:project/commands', {
      about: described({
        id: 'remoteCommands',
        summary: 'The signed commands of a project, in the order of their arrival, for users with kbd:read.',
        access: READ,
        parameters: pageParameters,
        answers: answers.commands,
      }),
      admit: ({ request }, { callers }) => void reader(request, callers),
      handler: ({ request }, { handlers }) => handlers.commands(request),
    }),
    route('POST /api/svc/kbd/:project/commands', {
      about: described({
        id: 'remoteCommand',
        summary: 'Takes a signed command of a device, from a user with kbd:write.',
        access: WRITE,
        request: commandEnvelope,
        answers: answers.command,
      }),
      body: { type: 'application/json', limit: 'kbd.max_command_bytes', json: OWN_BOUNDS },
      handler: ({ request }, { handlers, callers }) => handlers.enter(request, writer(request, callers)),
    }),
    route('GET /api/svc/kbd/:project/content/:sha256', {
      about: described({
        id: 'remoteContent',
        summary: 'A text that a command of the project names, for users with kbd:read.',
        access: READ,
        answers: answers.content,
      }),
      async handler({ request }, { boards, callers }) {
        const { name } = reader(request, callers)
        const project = await projectOf(request, boards, () => fail('project_not_found'))
        const hash = readHash(pathParam(request, 'sha256'))
        const body = await boards.read((reads) => reads.contentFor(project, hash, name))
        if (body === undefined) throw fail('content_not_found')
        return {
          status: 200,
          headers: { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' },
          body,
        }
      },
    }),
    route('PUT /api/svc/kbd/:project/content/:sha256', {
      about: described({
        id: 'remotePutContent',
        summary: 'Keeps a text for a command of the project, from a user with kbd:write.',
        access: WRITE,
        answers: answers.putContent,
      }),
      body: { type: 'application/octet-stream', limit: 'kbd.max_content_bytes' },
      async handler({ request }, { boards, callers, unnamedBytes, unnamedBytesOfKey }) {
        const { name, actingKey } = writer(request, callers)
        const project = await projectOf(request, boards, () => fail('scope_not_found'))
        const hash = readHash(pathParam(request, 'sha256'))
        // An acting key can name any number of users, so the texts of all of them are counted together too.
        const together = actingKey === null ? undefined : { name: actingKey, bytes: unnamedBytesOfKey }
        const peer = { name, bytes: unnamedBytes, together }
        const isNew = await boards.putContent(hash, await request.body(), { projects: [project], peer })
        return json(isNew ? 201 : 200, { sha256: hash })
      },
    }),
  ],
})
