/** The routes of the console's server. A request has passed the checks before. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CommandRefusal } from '../../../core/declare/command.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import type { DeviceKey } from '../../protocol/sign/index.ts'
import { consoleFail } from '../errors.ts'
import { pageSource } from '../page-source.ts'
import type { Session } from '../session.ts'
import { send, sendJson, setCommonHeaders } from './answers.ts'
import { readJsonObject } from './body.ts'
import type { Builds } from './builds.ts'
import { isRead, type Target } from './checks.ts'
import type { NodeStore } from './node-store.ts'
import { passOn, type Upstream } from './proxy.ts'
import { signFor } from './sign.ts'
import type { Surfaces } from './surfaces.ts'

/** The parts that the routes use. */
export interface RouteParts {
  readonly surfaces: Surfaces
  /** Undefined with `--url`, and in a profile without a store. */
  readonly store: NodeStore | undefined
  readonly builds: Builds
  readonly key: DeviceKey | undefined
  /** The secret path of the entry. */
  readonly folder: string
  /** The id of this console, for the page. */
  readonly instance: string
  session(): Promise<Session>
}

/** Answers one request. */
export type Routes = (request: IncomingMessage, response: ServerResponse, target: Target) => Promise<void>

/**
 * The routes by which the owner of the machine rules all tenants. A page in a browser must not, with `--write` neither.
 */
const OWNERS = /^\/api\/v1\/admin(?:\/|$)/

/** Creates the routes. The path of a target is relative to the secret folder, and starts with a slash. */
export function createRoutes(parts: RouteParts): Routes {
  const assets = assetsOf(parts)
  return async (request, response, { path, query }) => {
    const [, surface, rest] = /^\/(runtime|local)(\/.*)$/.exec(path) ?? []
    if (rest !== undefined) {
      setCommonHeaders(response, true)
      if (OWNERS.test(decoded(rest)))
        throw httpFail('forbidden', {
          message: 'The console passes on nothing that is for the owner of the machine alone.',
        })
      return passOn(request, response, rest + query, upstreamOf(parts.surfaces, surface as 'runtime' | 'local'))
    }
    if (path.startsWith('/console/')) return answerOwn(parts, request, response, path.slice('/console/'.length))
    if (!isRead(request)) throw httpFail('method_not_allowed')
    const asset = assets[path] ?? (path.includes('.') ? undefined : assets['/'])
    if (asset === undefined) throw httpFail('not_found')
    send(response, 200, asset.type, asset.text)
  }
}

/** A path as a lenient router would read it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path).toLowerCase()
  } catch {
    return path
  }
}

interface Asset {
  readonly type: string
  readonly text: string
}

/**
 * The page and its files. The page names its files by absolute paths, because it is also sent for paths of several
 * segments.
 */
function assetsOf({ folder, instance }: Pick<RouteParts, 'folder' | 'instance'>): Readonly<Record<string, Asset>> {
  const { html, script, style } = pageSource
  const page = html.replace('name="console-instance" content=""', `name="console-instance" content="${instance}"`)
  return {
    '/': { type: 'text/html', text: page.replaceAll(/(?<==")\/(?=app\.(?:js|css)")/g, folder) },
    '/app.js': { type: 'text/javascript', text: script },
    '/app.css': { type: 'text/css', text: style },
  }
}

function upstreamOf({ runtime, local }: Surfaces, surface: 'runtime' | 'local'): Upstream {
  if (surface === 'runtime') {
    if ('origin' in runtime) return runtime
    const { code, message, hint } = runtime
    throw new CommandRefusal(code, message, { hint })
  }
  if (local !== undefined) return local
  throw consoleFail('no_local_surface')
}

/** Answers the routes of the console itself. */
async function answerOwn(
  { session, store, builds, key }: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
): Promise<void> {
  const [, profile, what] = /^builds\/([^/]+)\/([^/]+)$/.exec(name) ?? []
  if (isRead(request) && profile !== undefined && what !== undefined)
    return send(response, 200, 'application/json', builds.read(profile, what))
  const members = (): Promise<Readonly<Record<string, unknown>>> => readJsonObject(request)
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    'read session': session,
    'read devices': () => requireStore(store).devices(),
    'read store': () => requireStore(store).report(),
    'read builds': async () => builds.list(),
    'POST sign': async () => signFor(key, await members()),
    'POST devices': async () => requireStore(store).enrol(await members()),
    'POST invitations': async () => requireInvite(store)(await members()),
    'POST invitations/cancel': async () => requireStore(store).cancel(await members()),
    'POST devices/revoke': async () => requireStore(store).revoke(await members()),
  }
  const route = `${isRead(request) ? 'read' : request.method} ${name}`
  const answer = Object.hasOwn(answers, route) ? answers[route] : undefined
  if (answer === undefined) throw httpFail('not_found')
  sendJson(response, 200, await answer())
}

function requireStore(store: NodeStore | undefined): NodeStore {
  if (store !== undefined) return store
  throw consoleFail('no_own_store')
}

function requireInvite(store: NodeStore | undefined): NonNullable<NodeStore['invite']> {
  const { invite } = requireStore(store)
  if (invite !== undefined) return invite
  throw httpFail('not_found')
}
