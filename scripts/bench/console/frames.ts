/** How long the frames of a page take, and what its heap holds. */
import type { CDPSession, Page } from 'playwright-core'

/** The long frames of a page since they were last asked for. */
export interface Frames {
  /** The longest frame, ms; 0 where none took 50 ms, which is from where the browser reports them. */
  readonly longestMs: number
  /** How many took 50 ms or more. */
  readonly long: number
}

/** Notes the long frames of each page that is opened in it (Long Animation Frames API). To be called before the first one. */
export async function watchFrames(page: Page): Promise<() => Promise<Frames>> {
  await page.addInitScript(() => {
    const noted: number[] = []
    Object.assign(window, { noted })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.push(duration)
    }).observe({ type: 'long-animation-frame' })
  })
  return async () => {
    // A frame is reported behind the one that follows it.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))))
    const noted = await page.evaluate(() => (window as unknown as { noted: number[] }).noted.splice(0))
    return { longestMs: Math.max(0, ...noted), long: noted.length }
  }
}

/** Bytes that are live in the heap of a page, after a collection. */
export async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize
}
