/** A service with a board, its console, and a page of the console in a browser. */
import { createHash, randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import type { Command, Project } from '../../../plugins/kbd/api.ts'
import { type DeviceKey, signCommand } from '../../../plugins/protocol/sign/index.ts'
import { readDeviceKey } from '../../../scripts/service.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { launchProfile } from '../../support/pages.ts'
import { createNode, programArgs } from '../kbd/node.ts'
import { sendTo } from '../sync/daemon.ts'
import { closePage, showPath } from './pages.ts'

const PROJECT = '/api/v1/kbd/projects/demo'

/** The service, the console and the page of a test. */
export interface BoardRig {
  /** A page of the console that signs with Ada's key. */
  readonly page: Page
  /** Opens a path of the page, such as `/boards/demo`. */
  visit(to: string): Promise<void>
  /** Shows a card with its page, without loading the board again. */
  open(cardId: string): Promise<void>
  readonly ada: DeviceKey
  readonly grace: DeviceKey
  readonly boardId: string
  /** Ids of the columns To do, Doing and Done. */
  readonly columns: readonly string[]
  project(): Promise<Project>
  /** Enters a command of a device, on the current heads or on the given parents. */
  enter(key: DeviceKey, command: Command, parents?: readonly string[]): Promise<void>
  /** Adds a card with a title to a column, and returns its id. */
  card(
    title: string,
    column?: number,
    more?: { readonly bodyHash?: string; readonly assignee?: string },
  ): Promise<string>
  /** Stores a text on the node, and returns its hash. */
  keep(text: string): Promise<string>
  stop(): Promise<void>
}

/** Starts the service, the console and the browser. */
export async function startBoards(): Promise<BoardRig> {
  const node = createNode()
  await node.svc('device', 'keygen', '--out', 'ada.key')
  await node.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo', '--label', 'Ada’s laptop')
  await node.svc('device', 'keygen', '--out', 'grace.key')
  await node.svc('device', 'enroll', '--key', 'grace.key.pub', '--scope', 'kbd-control:demo', '--label', 'Grace, phone')
  await node.start()
  const [ada, grace] = await Promise.all(['ada', 'grace'].map((name) => readDeviceKey(node, name)))
  const send = (method: string, path: string, body?: string, type = 'application/json') =>
    sendTo(node, { method, path, ...(body !== undefined && { body, headers: { 'content-type': type } }) })
  const project = async (): Promise<Project> => (await send('GET', PROJECT)).json() as unknown as Project
  const enter: BoardRig['enter'] = async (key, command, parents) => {
    const heads = parents ?? (await project()).frontier.heads
    const envelope = await signCommand(key, { project: 'demo', command, parents: heads })
    const reply = await send('POST', `${PROJECT}/commands`, JSON.stringify(envelope))
    assert.is(reply.status, 201, reply.text)
  }
  const boardId = randomUUID()
  await enter(ada!, { type: 'board.create', boardId, title: 'Release 1' }, [])
  const columns: string[] = []
  for (const [title, rank] of Object.entries({ 'To do': 'V', Doing: 'W', Done: 'X' })) {
    const columnId = randomUUID()
    columns.push(columnId)
    await enter(ada!, { type: 'column.create', columnId, boardId, title, rank })
  }
  const console = startChild(process.execPath, {
    args: [...programArgs, 'console', '--write', '--key', 'ada.key'],
    cwd: node.folder,
    env: node.env,
  })
  const [address] = await console.waitFor(/http:\S+/, WAIT_MS)
  const context: BrowserContext = await launchProfile(folderWith(), { viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  await page.goto(address)
  await page.waitForSelector('.nav')
  const base = new URL(page.url()).pathname.split('/').slice(0, 2).join('/')
  let rank = 100
  return {
    page,
    visit: async (to) => {
      await page.goto(new URL(base + to, address).href)
    },
    open: (cardId) => showPath(page, `${base}/boards/demo?card=${cardId}`),
    ada: ada!,
    grace: grace!,
    boardId,
    columns,
    project,
    enter,
    async card(title, column = 0, more = {}) {
      const cardId = randomUUID()
      const columnId = columns[column]!
      await enter(ada!, { type: 'card.create', cardId, boardId, columnId, rank: `V${rank++}V`, title, ...more })
      return cardId
    },
    async keep(text) {
      const hash = createHash('sha256').update(text).digest('hex')
      const reply = await send('PUT', `/api/v1/kbd/content/${hash}`, text, 'application/octet-stream')
      assert.ok(reply.status < 300, reply.text)
      return hash
    },
    async stop() {
      await closePage(page)
      await console.stop()
      await node.stop()
    },
  }
}
