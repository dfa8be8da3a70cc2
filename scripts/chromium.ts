/** The Chromium of the machine, for tests, pictures and benchmarks. */
import { existsSync } from 'node:fs'

/** Where Debian has it. The shell without windows draws the same pages in half of the processor time. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

/** The path of its program. Nothing is there on a machine without Chromium. */
export const chromiumPath: string =
  process.env['SVC_CHROMIUM'] ?? PLACES.find((place) => existsSync(place)) ?? '/usr/bin/chromium'
