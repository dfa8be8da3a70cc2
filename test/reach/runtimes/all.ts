/** The rows of the table. */
import { javaScriptCore, realm } from './bare.ts'
import { page, serviceWorker, strictPage } from './chromium.ts'
import { hermes, hermesCompiler } from './hermes.ts'
import { processRuntimes } from './process.ts'
import { quickJs } from './quickjs.ts'
import type { Runtime } from './runtime.ts'
import { workerd } from './workerd.ts'

/** Every runtime, in the order of the table. */
export const runtimes: readonly Runtime[] = [
  ...processRuntimes,
  workerd,
  page,
  strictPage,
  serviceWorker,
  realm,
  javaScriptCore,
  quickJs,
  hermes,
  hermesCompiler,
]
