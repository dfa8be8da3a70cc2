/**
 * The console under load, in Chromium: frames while 100 000 live events come in, while a run of 4 096 events is opened, and while a
 * board of 2 000 cards is opened and scrolled; then the heap of a page that takes events for MINUTES (1).
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Service, startService } from '../../service.ts'
import { fillBoard, fillRun } from './fill.ts'
import { type Frames, heapOf, watchFrames } from './frames.ts'

const EVENTS = 100_000
const RUN_EVENTS = 4_096
const CARDS = 2_000
const MINUTES = Number(process.env['MINUTES'] ?? 1)
/** Live events a second while the heap is watched. */
const RATE = 500
/** The longest frame, ms, and how much the heap may grow after the first half minute, MiB. */
const MOST_MS = 50
const MOST_GROWTH_MIB = 4

const executablePath = process.env['SVC_CHROMIUM'] ?? '/usr/bin/chromium'

/** Runs the measurements; true where the bars were kept. */
export async function benchConsole(): Promise<boolean> {
  if (!existsSync(executablePath)) {
    console.log(`skipped: no Chromium at ${executablePath}`)
    return true
  }
  const service = await startService()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    await fillRun(service, 'long', RUN_EVENTS)
    await fillBoard(service, CARDS)
    return await measure(service, browser)
  } finally {
    await browser.close()
    await service.stop()
  }
}

async function measure(service: Service, browser: Browser): Promise<boolean> {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
  const framesOf = await watchFrames(page)
  const address = await service.console()
  await page.goto(address)
  await page.waitForSelector('main h1')
  const base = new URL(address).origin + new URL(page.url()).pathname.split('/').slice(0, 2).join('/')
  const rows: [string, Frames][] = []
  const note = async (what: string, path: string, act: () => Promise<void>): Promise<void> => {
    await page.goto(base + path)
    await act()
    rows.push([what, await framesOf()])
  }

  const stream = await serveLive(page)
  stream.next(Array.from({ length: EVENTS }, (_, number) => eventOf(number)).join(''))
  await note(`${EVENTS} live events at once`, '/live', () =>
    page.getByText('100\u2009000 events').waitFor({ timeout: 120_000 }),
  )
  await note(`a run of ${RUN_EVENTS} events`, '/runs/long', () => page.getByText('Run finished').waitFor())
  await note(`a board of ${CARDS} cards, opened`, '/boards/demo', () => page.locator('.card').first().waitFor())
  rows.push(['the same, scrolled', await scrolled(page, framesOf)])
  const heap = await heapOverTime(page, stream, `${base}/live`)
  return report(rows, heap)
}

function eventOf(number: number): string {
  const event = {
    topic: number % 2 ? 'runs' : 'notes',
    identifier: `id-${number}`,
    operation: 'update',
    data: { number },
  }
  return `data: ${JSON.stringify(event)}\n\n`
}

/** Answers the live stream of the page. Each answer is one text; the client comes again for the next. */
async function serveLive(page: Page): Promise<{ next(body: string): void }> {
  let bodies: string[] = []
  let wanted: ((body: string) => void) | undefined
  await page.route('**/runtime/api/live', async (route) => {
    const body = bodies.shift() ?? (await new Promise<string>((resolve) => (wanted = resolve)))
    await route.fulfill({ status: 200, contentType: 'text/event-stream', body }).catch(() => undefined)
  })
  return {
    next(body) {
      if (wanted === undefined) bodies = [...bodies, body]
      else wanted(body)
      wanted = undefined
    },
  }
}

async function scrolled(page: Page, framesOf: () => Promise<Frames>): Promise<Frames> {
  await framesOf()
  const list = (await page.locator('.lane .windowed').first().boundingBox())!
  await page.mouse.move(list.x + 50, list.y + 100)
  for (let step = 0; step < 100; step++) await page.mouse.wheel(0, 400)
  return framesOf()
}

/** The heap of a page of live events, MiB, at the end of each half minute. */
async function heapOverTime(page: Page, stream: { next(body: string): void }, url: string): Promise<number[]> {
  const cdp = await page.context().newCDPSession(page)
  await page.goto(url)
  const sizes: number[] = []
  let number = 0
  for (let half = 0; half < 2 * MINUTES; half++) {
    for (const end = Date.now() + 30_000; Date.now() < end; ) {
      stream.next(Array.from({ length: RATE }, () => eventOf(number++)).join(''))
      await page.waitForTimeout(1_000)
    }
    sizes.push((await heapOf(cdp)) / 1_048_576)
  }
  return sizes
}

function report(rows: readonly (readonly [string, Frames])[], heap: readonly number[]): boolean {
  for (const [what, { longestMs, long }] of rows)
    console.log(
      `${what.padEnd(34)} longest frame ${longestMs === 0 ? '< 50' : longestMs.toFixed(0)} ms, ${long} of 50 ms or more`,
    )
  console.log(`\nheap each half minute, ${RATE} events a second, MiB: ${heap.map((one) => one.toFixed(1)).join(' ')}`)
  const longest = Math.max(...rows.map(([, { longestMs }]) => longestMs))
  const growth = heap.at(-1)! - heap[0]!
  const bars = [
    [`longest frame ≤ ${MOST_MS} ms`, longest <= MOST_MS, longest.toFixed(0)],
    [
      `heap after ${MINUTES} min, above that of the first half minute ≤ ${MOST_GROWTH_MIB} MiB`,
      growth <= MOST_GROWTH_MIB,
      growth.toFixed(1),
    ],
  ] as const
  console.log()
  for (const [bar, isKept, value] of bars) console.log(`bar: ${bar}: ${value} ${isKept ? 'kept' : 'MISSED'}`)
  return bars.every(([, isKept]) => isKept)
}
