/** Measures the frames and the heap of a page. */
import type { CDPSession, Page } from 'playwright-core'

/** The long frames of a page since the last query. */
export interface Frames {
  /** The longest frame in ms; 0 if no frame took 50 ms, because the browser reports only longer ones. */
  readonly longestMs: number
  /** Number of frames of 50 ms or more. */
  readonly long: number
}

/** Records the long frames of a page (Long Animation Frames API). Call this function before the first navigation. */
export async function watchFrames(page: Page): Promise<() => Promise<Frames>> {
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
export async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  return (await cdp.send('Runtime.getHeapUsage')).usedSize
}
