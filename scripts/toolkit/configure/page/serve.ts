/** Serves the page on loopback, with the entry of the console: an address that works once, and a cookie. */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { isSvcError } from '../../../../core/declare/errors.ts'
import { httpFail } from '../../../../core/kernel/catalogue.ts'
import { send, sendJson } from '../../../../plugins/console/server/answers.ts'
import { readJsonObject } from '../../../../plugins/console/server/body.ts'
import { isRead } from '../../../../plugins/console/server/checks.ts'
import type { Routes } from '../../../../plugins/console/server/routes.ts'
import { openServer } from '../../../../plugins/console/server/server.ts'
import { bundleCarried } from '../../../build/generate/carried.ts'
import { root } from '../../../build/paths.ts'
import { toolFail } from '../../errors.ts'
import type { ToolIo } from '../../tool.ts'
import type { SavePlan, Session } from '../session.ts'
import type { PageState, PlanAnswer } from './api.ts'

/** Serves the page of a configuration until a signal. */
export async function servePage(session: Session, port: number, io: ToolIo): Promise<void> {
  // Registered before any output, because a caller that reads the address can send the signal at once.
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  io.step('bundling the page')
  const assets = await bundlePage()
  const server = await openServer({
    port,
    isWritable: true,
    routes: ({ folder, instance }) => createRoutes(session, withEntry(assets, folder, instance)),
    entered: () => undefined,
    failed: (error) => io.note(`svc-build configure: ${error instanceof Error ? error.stack : String(error)}`),
  }).catch((cause: NodeJS.ErrnoException) => {
    throw toolFail('ERR_TOOL_INPUT', { message: `The page cannot be served: ${cause.message}`, cause })
  })
  const print = (): void => {
    const line = server.entry.address()
    if (io.json) io.note(line)
    else io.out(line)
    io.note('Open this address: it works once. Enter prints a new address, Ctrl-C ends it.')
  }
  print()
  process.stdin.on('data', print).on('error', () => undefined)
  await signalled
  process.stdin.destroy()
  await server.close()
  if (session.isChanged()) io.note(`The changes are not saved in ${session.file}.`)
}

type Assets = Readonly<Record<string, { readonly type: string; readonly text: string }>>

async function bundlePage(): Promise<Assets> {
  const { texts } = await bundleCarried(
    {
      entryPoints: [join(root, 'scripts/toolkit/configure/page/main.tsx')],
      format: 'esm',
      platform: 'browser',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    },
    { absWorkingDir: root, minify: true, target: 'es2022' },
  )
  return {
    '/app.js': { type: 'text/javascript', text: texts['js'] ?? '' },
    '/app.css': { type: 'text/css', text: texts['css'] ?? '' },
  }
}

function withEntry(assets: Assets, folder: string, instance: string): Assets {
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="console-instance" content="${instance}">
<title>svc-build configure</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}app.css">
<script type="module" src="${folder}app.js"></script>
</head>
<body>
<noscript>This page needs JavaScript. It loads JavaScript only from this address. svc-build configure --plain needs none.</noscript>
<div id="app"></div>
</body>
</html>
`
  return { ...assets, '/': { type: 'text/html', text } }
}

/** The routes behind the entry. Changes run one after the other. */
function createRoutes(session: Session, assets: Assets): Routes {
  let queue: Promise<unknown> = Promise.resolve()
  let plan: { readonly id: string; readonly plan: SavePlan } | undefined
  const stateOf = (told: readonly string[]): PageState => ({
    file: session.file,
    isNew: session.isNew,
    isChanged: session.isChanged(),
    view: session.view(),
    told,
  })
  const answers: Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => Promise<unknown>>> = {
    'POST /console/change': async (body) => {
      plan = undefined
      return stateOf(await change(session, body))
    },
    'POST /console/plan': async (): Promise<PlanAnswer> => {
      plan = { id: randomUUID(), plan: await session.planSave() }
      const { text, lines, notes } = plan.plan
      return { id: plan.id, canBeWritten: text !== undefined && lines.length > 0, lines, notes }
    },
    'POST /console/save': async ({ id }) => {
      if (plan === undefined || plan.id !== id) {
        throw toolFail('ERR_TOOL_INPUT', {
          message: 'The choice has changed since the difference was shown. Look at it again.',
        })
      }
      return stateOf(await session.save(plan.plan))
    },
  }
  return async (request, response, { path }) => {
    if (isRead(request)) {
      if (path === '/console/state') return sendJson(response, 200, stateOf([]))
      const asset = assets[path]
      if (asset === undefined) throw httpFail('not_found')
      return send(response, 200, asset.type, asset.text)
    }
    const route = `${request.method} ${path}`
    const run = Object.hasOwn(answers, route) ? answers[route] : undefined
    if (run === undefined) throw httpFail('not_found')
    const body = await readJsonObject(request)
    const result = queue.then(() => run(body))
    queue = result.catch(() => undefined)
    return answer(response, result)
  }
}

/** An error of the toolkit is an answer to the person, and not a failure of the server. */
async function answer(response: ServerResponse, result: Promise<unknown>): Promise<void> {
  try {
    sendJson(response, 200, await result)
  } catch (error) {
    if (!isSvcError(error) || !error.code.startsWith('ERR_')) throw error
    const { code, message, hint } = error
    sendJson(response, 409, { error: { code, message, ...(hint !== undefined && { hint }) } })
  }
}

async function change(session: Session, body: Readonly<Record<string, unknown>>): Promise<string[]> {
  const { do: what, id, where, name, place } = body
  const word = (value: unknown): string => (typeof value === 'string' ? value : '')
  const oneOf = <T extends string>(value: unknown, all: readonly T[]): T | undefined => all.find((one) => one === value)
  switch (what) {
    case 'on':
      return session.on(word(id), oneOf(where, ['both', 'main', 'library']))
    case 'off':
      return session.off(word(id))
    case 'variant':
      return session.variant(word(id), word(name), oneOf(place, ['library', 'main']))
    case 'undo':
      return session.undo()
    case 'measure':
      return session.measure()
    default:
      throw httpFail('malformed_json', { message: '`do` is on, off, variant, undo or measure.' })
  }
}
