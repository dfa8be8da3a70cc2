/**
 * Measures the console in Chromium under load: frames while 100 000 live events arrive, while a run of 4 096 events is
 * opened, and while a board of 2 000 cards is opened and scrolled; then the heap of a page that receives events for
 * MINUTES (1) minutes.
 */
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../../chromium.ts'
import { type Service, startService } from '../../service.ts'
import { isMet, show } from '../harness/figures.ts'
import { fillBoard, fillRun } from './fill.ts'

const EVENTS = 100_000
const RUN_EVENTS = 4_096
const CARDS = 2_000
const MINUTES = Number(process.env['MINUTES'] ?? 1)
/** Live events a second while the heap is watched. */
const RATE = 500
/** Number of concurrent publish requests. */
const PUBLISHERS = 4
/** The longest allowed frame in ms, and the allowed growth of the heap after the first half minute in MiB. */
const MOST_MS = 50
const MOST_GROWTH_MIB = 4

/** The nice value of the processes that fill the service and publish events. */
const YIELDS = 10

/** Runs the measurements. Returns true if every bar is met. */
export async function bench(): Promise<boolean> {
  if (!existsSync(chromiumPath)) {
    console.log(`skipped: no Chromium at ${chromiumPath}`)
    return true
  }
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  // The service and the publisher share the cores with the browser. They get a lower priority, so that a frame does not
  // wait for them.
  setPriority(YIELDS)
  let service: Service | undefined
  try {
    service = await startService({ SVC_REALTIME__TOPICS: 'notes', RUST_LOG: 'info,svc::http=warn' })
    await fillRun(service, 'long', RUN_EVENTS)
    await fillBoard(service, CARDS)
    return await measure(service, browser)
  } finally {
    await browser.close()
    await service?.stop()
  }
}

async function measure(service: Service, browser: Browser): Promise<boolean> {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
  const framesOf = await watchFrames(page)
  await page.goto(await service.console())
  await page.waitForSelector('main h1')
  const rows: [string, Frames][] = []
  /** Records the frames of an action. It starts when the page is idle, so that loading the page is not measured. */
  const note = async (what: string, act: () => Promise<void>): Promise<void> => {
    await page.waitForTimeout(1_000)
    await framesOf()
    await act()
    rows.push([what, await framesOf()])
  }
  const choose = (view: string): Promise<void> => page.locator('.nav').getByRole('link', { name: view }).click()

  await choose('Runs')
  await note(`a run of ${RUN_EVENTS} events`, async () => {
    await page.getByRole('link', { name: 'long' }).click()
    await page.getByText('Run finished').waitFor()
  })
  await note(`a board of ${CARDS} cards, opened`, async () => {
    await choose('Boards')
    await page.locator('.card').first().waitFor()
  })
  await note('the same, scrolled', () => scroll(page))
  const publish = await publisherOf(service)
  await choose('Live')
  await page.getByText('live', { exact: true }).waitFor()
  await note(`${EVENTS} live events, as fast as they come`, async () => {
    await publish(EVENTS)
    // The page also shows the events that the service dropped because the page was too slow; they count too.
    await page.waitForFunction((all) => {
      const [events = 0, dropped = 0] = (document.querySelector('.head-about')?.textContent ?? '')
        .split('·')
        .map((part) => Number(part.replaceAll(/\D/g, '')))
      return events + dropped >= all
    }, EVENTS)
  })
  const heap = await heapOverTime(page, publish)
  return report(rows, heap)
}

/** Returns a function that publishes a number of live events, with several concurrent requests. */
async function publisherOf(service: Service): Promise<(events: number) => Promise<void>> {
  const post = await service.poster('live:publish')
  let number = 0
  return async (events) => {
    const last = number + events
    const send = async (): Promise<void> => {
      while (number < last) {
        const data = { number: number++ }
        await post('/api/live/notes', { identifier: `id-${data.number}`, operation: 'update', data })
      }
    }
    await Promise.all(Array.from({ length: PUBLISHERS }, send))
  }
}

async function scroll(page: Page): Promise<void> {
  const list = (await page.locator('.lane .windowed').first().boundingBox())!
  await page.mouse.move(list.x + 50, list.y + 100)
  for (let step = 0; step < 100; step++) await page.mouse.wheel(0, 400)
}

/** The heap of a page of live events in MiB, at the end of each half minute. */
async function heapOverTime(page: Page, publish: (events: number) => Promise<void>): Promise<number[]> {
  const cdp = await page.context().newCDPSession(page)
  const sizes: number[] = []
  for (let half = 0; half < 2 * MINUTES; half++) {
    for (const end = Date.now() + 30_000; Date.now() < end; ) {
      await publish(RATE)
      await page.waitForTimeout(1_000)
    }
    sizes.push((await heapOf(cdp)) / 1_048_576)
  }
  return sizes
}

function report(rows: readonly (readonly [string, Frames])[], heap: readonly number[]): boolean {
  for (const [what, { longestMs, long }] of rows)
    show(what, longestMs === 0 ? '< 50 ms' : `${longestMs.toFixed(0)} ms`, `${long} of 50 ms or more`)
  console.log(`\nheap each half minute, ${RATE} events a second, MiB: ${heap.map((one) => one.toFixed(1)).join(' ')}\n`)
  const growth = heap.at(-1)! - heap[0]!
  return [
    isMet('longest frame in ms', Math.max(...rows.map(([, { longestMs }]) => longestMs)), MOST_MS, 'at most'),
    isMet(`MiB of heap after ${MINUTES} min, above the first half minute`, growth, MOST_GROWTH_MIB, 'at most'),
  ].every(Boolean)
}

/** The long frames of a page since the last query. */
interface Frames {
  /** The longest frame in ms; 0 if no frame took 50 ms, because the browser reports only longer ones. */
  readonly longestMs: number
  /** Number of frames of 50 ms or more. */
  readonly long: number
}

/** Records the long frames of a page (Long Animation Frames API). Call this function before the first navigation. */
async function watchFrames(page: Page): Promise<() => Promise<Frames>> {
  await page.addInitScript(() => {
    const durations: number[] = []
    Object.assign(window, { durations })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) durations.push(duration)
    }).observe({ type: 'long-animation-frame' })
  })
  return async () => {
    // The browser reports a frame after the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))))
    const durations = await page.evaluate(() => (window as unknown as { durations: number[] }).durations.splice(0))
    return { longestMs: Math.max(0, ...durations), long: durations.length }
  }
}

/** Live bytes in the heap of a page, after a garbage collection. */
async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize
}
