/**
 * The page of docs/examples/agent-page in a browser, and the hooks of `svc/react` in React's strict mode: reloads in
 * the middle of a run, two windows, a service that is killed, cancels.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CONTRACT_SECRET } from '../../../plugins/auth/contract-tokens.ts'
import { distDir, root } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { until } from '../../../scripts/until.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { commandsNotRun } from '../../support/page-commands/not-run.ts'
import { browserless, launchBrowser } from '../../support/pages.ts'
import { testUnless } from '../../support/skip.ts'
import { begin, frame, startAgent, type TestAgent } from './agent-server.ts'

const test = suite('a page with an agent behind the service')
const program = join(distDir('server-full'), 'svc.mjs')
const npm = distDir('npm')
const missing = [program, join(npm, 'ag-ui.js')].find((path) => !existsSync(path))
const unready = missing === undefined ? browserless : `${missing} has not been built`
const it = (name: string, work: () => Promise<void>): void => testUnless(test, unready, name, work)

const EXAMPLE = join(root, 'docs/examples/agent-page')
const GUIDE = join(root, 'docs/agents-behind-runs.md')
const LIMIT_MS = WAIT_MS

/** What the page needs beside `svc`. */
const packages = ['@ag-ui/client', 'react', 'react-dom', 'esbuild']

/** An agent that says a word whenever the test lets it. */
interface Writer extends TestAgent {
  /** Says one more word of the present call. */
  say(word: string): Promise<void>
  finish(): Promise<void>
  readonly isGone: () => boolean
}

async function startWriter(): Promise<Writer> {
  const calls: ((event: object, isLast: boolean) => void)[] = []
  const agent = await startAgent({
    writer: (response, ids) => {
      begin(response)
      const messageId = `answer-${ids.runId}`
      response.write(frame({ type: 'RUN_STARTED', ...ids }))
      response.write(frame({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }))
      calls.push((event, isLast) => {
        if (!isLast) return void response.write(frame({ ...event, messageId }))
        response.end(frame({ type: 'TEXT_MESSAGE_END', messageId }) + frame({ type: 'RUN_FINISHED', ...ids }))
      })
    },
  })
  let called = 0
  const present = async (): Promise<(event: object, isLast: boolean) => void> => {
    await until('the agent to be called', async () => calls.length >= called, LIMIT_MS)
    return calls.at(-1)!
  }
  return Object.assign(agent, {
    say: async (delta: string) => {
      called = Math.max(called, 1)
      ;(await present())({ type: 'TEXT_MESSAGE_CONTENT', delta }, false)
    },
    finish: async () => (await present())({}, true),
    isGone: () => agent.requests.at(-1)!.isGone(),
  })
}

interface Rig {
  readonly agent: Writer
  readonly base: string
  /** Where the page is. */
  readonly origin: string
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts the service, and serves the example, or another page, with the packages that the page of docs installs. */
async function start(page?: string): Promise<Rig> {
  const agent = await startWriter()
  const [port, pagePort] = [await freePort(), await freePort()]
  const folder = folderWith()
  cpSync(EXAMPLE, folder, { recursive: true })
  if (page !== undefined) writeFileSync(join(folder, 'page.jsx'), page)
  mkdirSync(join(folder, 'node_modules', '@ag-ui'), { recursive: true })
  symlinkSync(npm, join(folder, 'node_modules', 'svc'))
  for (const name of packages) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const origin = `http://127.0.0.1:${pagePort}`
  const env = {
    ...{ HOME: folder, PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: folder },
    ...{ SVC_STORAGE__DIR: join(folder, 'state'), SVC_SERVER__PORT: String(port) },
    ...{ SVC_SECURITY__JWT_SECRET: CONTRACT_SECRET, SVC_SERVER__CORS_ORIGINS: origin },
    ...{ SVC_REALTIME__RUN_STORE: 'sqlite', SVC_REALTIME__ORPHAN_AFTER_MS: '500' },
    SVC_REALTIME__AGENTS: JSON.stringify({ writer: { url: `${agent.url}/writer` } }),
  }
  const run = async (args: readonly string[], pattern: RegExp, more = {}): Promise<Child> => {
    const child = startChild(process.execPath, { args, env: { ...env, ...more }, cwd: folder })
    await child.waitFor(pattern, LIMIT_MS)
    return child
  }
  const serve = (): Promise<Child> => run([...warnless, program, '--mode', 'runtime'], new RegExp(`:${port}`))
  const base = `http://127.0.0.1:${port}`
  let service = await serve()
  const token = [process.execPath, ...warnless, program, 'token', '--sub', 'ann']
  const pages = await run(['serve.mjs', base, ...token], /http:\/\/127/, { PORT: String(pagePort) })
  return {
    ...{ agent, base, origin },
    kill: async () => void (await service.stop('SIGKILL')),
    restart: async () => {
      service = await serve()
    },
    stop: async () => {
      await Promise.all([service.stop(), pages.stop()])
      await agent.close()
    },
  }
}

const warnless = ['--disable-warning=ExperimentalWarning']

let browser: Browser | undefined
test.before(async () => {
  if (unready === undefined) browser = await launchBrowser()
})
test.after(() => browser?.close())

/** A window with the page. */
interface Window {
  readonly page: Page
  readonly faults: readonly string[]
  said(): Promise<readonly string[]>
  alert(): Promise<string | null>
  /** Waits for the last message, and the error below the messages. */
  shows(last: string, alert?: string): Promise<void>
}

async function openWindow(address: string): Promise<Window> {
  const page = await (await browser!.newContext()).newPage()
  page.setDefaultTimeout(LIMIT_MS)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(address)
  await page.waitForSelector('form')
  const said = (): Promise<readonly string[]> => page.locator('li').allTextContents()
  const alert = async (): Promise<string | null> =>
    (await page.locator('[role=alert]').count()) === 0 ? null : page.locator('[role=alert]').textContent()
  return {
    ...{ page, faults, said, alert },
    shows: async (last, wanted) => {
      let seen = ''
      try {
        await until(
          last,
          async () => {
            seen = JSON.stringify([await said(), await alert()])
            return (await said()).at(-1) === last && (await alert()) === (wanted ?? null)
          },
          LIMIT_MS,
        )
      } catch (error) {
        throw new Error(`${(error as Error).message}; the page has ${seen}`)
      }
    },
  }
}

const ask = async ({ page }: Window, text: string): Promise<void> => {
  await page.getByLabel('Message').fill(text)
  await page.getByRole('button', { name: 'Ask' }).click()
}

it('the page of docs: reload in the middle, two windows, a service that is killed, cancel', async () => {
  const rig = await start()
  try {
    const address = `${rig.origin}/?thread=talk`
    const one = await openWindow(address)
    await ask(one, 'first')
    await one.shows('first')
    await until('the call', async () => rig.agent.requests.length === 1, LIMIT_MS)
    await rig.agent.say('Form ')
    await one.shows('Form ')

    await one.page.reload()
    await one.shows('Form ')
    const two = await openWindow(address)
    await two.shows('Form ')
    await rig.agent.say('follows ')
    await rig.agent.finish()
    for (const window of [one, two]) {
      await window.shows('Form follows ')
      assert.equal(await window.said(), ['first', 'Form follows '])
    }

    await ask(two, 'second')
    await until('the second call', async () => rig.agent.requests.length === 2, LIMIT_MS)
    await rig.agent.say('function')
    for (const window of [one, two]) await window.shows('function')
    await rig.kill()
    await rig.restart()
    // What anybody saw is there, and the run has an end with a reason.
    for (const window of [one, two]) {
      await window.shows('function', 'svc.run.orphaned')
      assert.equal(await window.said(), ['first', 'Form follows ', 'second', 'function'])
    }

    await ask(one, 'third')
    await until('the third call', async () => rig.agent.requests.length === 3, LIMIT_MS)
    await rig.agent.say('again')
    for (const window of [one, two]) await window.shows('again')
    // The window that has not asked cancels.
    await two.page.getByRole('button', { name: 'Cancel' }).click()
    for (const window of [one, two]) await window.shows('again', 'svc.run.cancelled')
    await until('the call to end', async () => rig.agent.isGone(), LIMIT_MS)
    assert.equal([...one.faults, ...two.faults], [])
    for (const { page } of [one, two]) await page.context().close()
  } finally {
    await rig.stop()
  }
})

it('useRun and useLive of svc/react follow in strict mode, each event once', async () => {
  const rig = await start(hooks)
  try {
    const page = await (await browser!.newContext()).newPage()
    page.setDefaultTimeout(LIMIT_MS)
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    const token = (await (await fetch(`${rig.origin}/token`)).text()).trim()
    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(`${rig.base}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    assert.is((await post('/api/svc/runs', { run_id: 'r', thread_id: 't' })).status, 201)
    const events = [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      { type: 'CUSTOM', name: 'one', value: 1 },
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
    ]
    await page.goto(rig.origin)
    const view = async (): Promise<Record<string, unknown>> =>
      JSON.parse((await page.locator('pre').textContent()) ?? '{}') as Record<string, unknown>
    await page.waitForSelector('pre')
    const both = async (): Promise<boolean> => (await view())['run'] === 'open' && (await view())['live'] === 'open'
    await until('both streams', both, LIMIT_MS)
    assert.is((await post('/api/svc/runs/r/events', events)).status, 200)
    await until('the end', async () => (await view())['run'] === 'stopped', LIMIT_MS)
    await until('the change', async () => JSON.stringify((await view())['changes']) === '["r"]', LIMIT_MS)
    assert.equal(await view(), {
      ...{ run: 'stopped', types: ['RUN_STARTED', 'CUSTOM', 'RUN_FINISHED'] },
      ...{ live: 'open', changes: ['r'], missed: (await view())['missed'] },
    })
    assert.equal(faults, [])
    await page.context().close()
  } finally {
    await rig.stop()
  }
})

const hooks = `
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from 'svc/client'
import { useLive, useRun } from 'svc/react'

const client = createClient({
  baseUrl: document.body.dataset.baseUrl,
  token: async () => (await fetch('/token')).text(),
  share: false,
})
function View() {
  const { events, state } = useRun(client, 'r')
  const live = useLive(client, 'runs')
  const view = { run: state, types: events.map(({ type }) => type), live: live.state, changes: [...live.changes.keys()], missed: live.missed }
  return <pre>{JSON.stringify(view)}</pre>
}
createRoot(document.getElementById('root')).render(<StrictMode><View /></StrictMode>)
`

it('the curl of the README streams a run of the agent of its setting', async () => {
  const [setting, call] = commandsNotRun('README.md', 'SVC_REALTIME__AGENTS=')
  assert.equal(Object.keys(JSON.parse(/AGENTS='(.*?)'/.exec(setting!)![1]!) as object), ['writer'])
  const rig = await start()
  try {
    const token = await (await fetch(`${rig.origin}/token`)).text()
    const command = call!
      .replace('$(.build/run/server-full/svc token --sub developer)', token)
      .replace('http://127.0.0.1:8080', rig.base)
    const curl = startChild('/bin/sh', { args: ['-c', command], env: { PATH: process.env['PATH'] ?? '' } })
    await until('the call', async () => rig.agent.requests.length === 1, LIMIT_MS)
    await rig.agent.say('Form ')
    await rig.agent.finish()
    assert.is((await curl.exited).code, 0)
    assert.match(curl.out, /"delta":"Form "[\s\S]*"type":"RUN_FINISHED"/)
  } finally {
    await rig.stop()
  }
})

test('the page of docs installs the packages that the tests have, and serves the page as they do', () => {
  const [, install, serve] = commandsNotRun('docs/agents-behind-runs.md', 'cp -r')
  const names = install!.split(' ').slice(3)
  assert.equal(names, packages)
  assert.match(serve!, /^node serve\.mjs http:\S+ \S+svc token /)
})

test('docs/agents-behind-runs.md shows the page as it is', () => {
  const shown = /```jsx\n([\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8'))?.[1] ?? ''
  assert.ok(shown.includes('SvcAgent'), `${GUIDE} has a block jsx`)
  const page = readFileSync(join(EXAMPLE, 'page.jsx'), 'utf8')
  for (const part of shown.split(/\n\n+(?=\S)/))
    assert.ok(page.includes(part.trimEnd()), `${dirname(EXAMPLE)} has:\n${part}`)
})

test.run()
