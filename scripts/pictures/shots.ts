/** The pictures: view, width and theme of each, the picture of a report, and their comparison with the stored ones. */
import { readFileSync } from 'node:fs'
import pixelmatch from 'pixelmatch'
import type { Browser, Page } from 'playwright-core'
import type { PNG } from 'pngjs'
import { distDir } from '../build/paths.ts'
import type { Service } from '../service.ts'
import { readDist } from '../toolkit/open-dist.ts'
import { reportPage } from '../toolkit/report/page.ts'
import { PUSH, RUN, tellMore } from './story.ts'

/** One picture. */
export interface Shot {
  /** Name of the file in docs/pictures, without `.png`. */
  readonly name: string
  /** The path within the console. */
  readonly path: string
  readonly width: number
  readonly theme: 'light' | 'dark'
  /** A text that is visible when the view is complete. */
  readonly until: string | RegExp
  /** Called before waiting for that text. */
  readonly first?: (page: Page, service: Service) => Promise<void>
}

/** A card of the last column, which appears last, because columns are drawn one per frame. */
const LAST_CARD = 'Rotate'

const WIDE = 1_440
const NARROW = 390
const HEIGHTS: Readonly<Record<number, number>> = { [WIDE]: 900, [NARROW]: 844 }

const view = (name: string, path: string, until: string | RegExp, more: Partial<Shot> = {}): Shot => ({
  name: `console-${name}`,
  path,
  until,
  width: WIDE,
  theme: 'light',
  ...more,
})

/** All pictures. */
export const shots: readonly Shot[] = [
  view('runs', `/runs/${RUN}`, 'Run finished', { theme: 'dark' }),
  view('live', '/live', 'kbd', {
    async first(page, service) {
      await page.getByText('live', { exact: true }).waitFor()
      await tellMore(service)
    },
  }),
  view('boards', '/boards/demo', LAST_CARD),
  view('boards-narrow', '/boards/demo', LAST_CARD, { width: NARROW }),
  view('conflicts', '/boards/demo', 'Grace, phone', {
    first: (page) => page.getByRole('button', { name: '1 conflict' }).click(),
  }),
  view('pushes', `/pushes/${PUSH}`, 'signature verified'),
  view('access', '/access', 'agent of Ada'),
  view('audit', '/audit', 'Verified in this page'),
  view('build', '/build', 'realtime.runs'),
  view('api', '/api/listRuns', 'Send GET', { theme: 'dark' }),
  // A rate needs two readings of the metrics.
  view('overview', '/', /\d\s*per second/),
]

/**
 * Takes the pictures. The page gets the fonts Inter and JetBrains Mono from pinned packages, so that the pictures are
 * the same on every machine. The shipped page does not contain these fonts.
 */
export async function takeAll(
  browser: Browser,
  service: Service,
  wanted: readonly Shot[] = shots,
): Promise<ReadonlyMap<string, Buffer>> {
  const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const address = await service.console('--write', '--key', 'ada.key', '--scope', 'kbd:read')
  await page.goto(address)
  await page.waitForSelector('main h1')
  const base = new URL(address).origin + new URL(page.url()).pathname.split('/').slice(0, 2).join('/')
  const pictures = new Map<string, Buffer>()
  for (const shot of wanted) pictures.set(shot.name, await take(page, base, shot, service))
  await context.close()
  return pictures
}

async function take(page: Page, base: string, shot: Shot, service: Service): Promise<Buffer> {
  const { path, width, theme, until, first } = shot
  await page.setViewportSize({ width, height: HEIGHTS[width]! })
  await page.emulateMedia({ colorScheme: theme })
  await page.goto(base + path)
  await page.addStyleTag({ content: FONTS })
  await first?.(page, service)
  await page.locator('main').getByText(until).first().waitFor({ timeout: 60_000 })
  await page.evaluate(async () => {
    await document.fonts.ready
  })
  await page.mouse.move(0, 0)
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

const FONTS = [
  fontFace('Inter', import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')),
  fontFace(
    'JetBrains Mono',
    import.meta.resolve('@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'),
  ),
  ':root { --mono: "JetBrains Mono", monospace !important; font-variant-ligatures: no-contextual }',
].join('\n')

function fontFace(family: string, url: string): string {
  const font = readFileSync(new URL(url)).toString('base64')
  return `@font-face { font-family: "${family}"; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }`
}

/**
 * Colour difference from which a pixel counts as changed, 0 to 1. It is low, because the background and the cards
 * differ only slightly in colour.
 */
const COLOUR = 0.02

/** The fraction of pixels that differ, 0 to 1; 1 if the sizes differ. */
export function differenceOf(one: PNG, other: PNG): number {
  const { width, height } = one
  if (other.width !== width || other.height !== height) return 1
  return pixelmatch(one.data, other.data, undefined, width, height, { threshold: COLOUR }) / (width * height)
}

/** Name of the file in docs/pictures, without `.png`. */
export const REPORT = 'report'

/** Takes the picture of the rings of minimal's library. */
export async function takeReport(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1180, height: 900 } })
  try {
    await page.setContent(reportPage(readDist(distDir('minimal'))))
    return await page.locator('figure').first().screenshot()
  } finally {
    await page.close()
  }
}
