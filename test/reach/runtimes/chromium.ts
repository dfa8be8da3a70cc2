/** Chromium: a page and a service worker that import the modules. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WAIT_MS } from '../../runner/limit.ts'
import { browserless, executablePath, launchBrowser, servePages } from '../../support/pages.ts'
import type { Cell } from '../cells.ts'
import { type Project, wasmAsText } from '../project.ts'
import type { StepResult } from '../suite/runner.ts'
import type { Runtime } from './runtime.ts'

const version =
  browserless === undefined
    ? (/[\d.]{5,}/.exec(execFileSync(executablePath, ['--version'], { encoding: 'utf8' }))?.[0] ?? 'unknown')
    : 'absent'

const sqlWasm = `const answer = await fetch('/svc/embedded-mobile/sql-wasm.wasm')
export default await answer.arrayBuffer().then((bytes) => new Uint8Array(bytes))
`

/** The reason on a page without WebAssembly. `createEmbedded` rejects with ERR_SQL_WASM there. */
const NO_WASM = 'its engine is WebAssembly, which the policy of the page refuses'

/** The reason in a service worker. The error of `svc/minimal` gives the same reason. */
const NO_IMPORT = 'a service worker allows no `import()`; `svc/minimal/single` is the same in one file'

/** The row of a page. */
export const page: Runtime = { ...common('Chromium, a page'), run: (cell, project) => runPage(cell, project, '') }

/** The row of a page whose policy allows scripts of its own origin but no WebAssembly. */
export const strictPage: Runtime = {
  ...common("Chromium, a page without `'wasm-unsafe-eval'`"),
  left: ({ id, needsNode }) => needsNode ?? (id === 'embedded' ? NO_WASM : undefined),
  run: (cell, project) =>
    runPage(cell, project, `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`),
}

async function runPage(cell: Cell, project: Project, head: string): Promise<readonly StepResult[]> {
  const name = project.writeCell(cell, 'paths', sqlWasm)
  writeFileSync(
    join(project.folder, `main-${name}`),
    `import { report } from './${name}'\nglobalThis.results = await report()\n`,
  )
  const html = `page-${cell.id}.html`
  const script = `<script type="module" src="./main-${name}"></script>`
  writeFileSync(join(project.folder, html), `<!doctype html>\n${head}\n<title>reach</title>\n${script}\n`)
  return inBrowser(project, html)
}

/**
 * The row of a service worker of type module. Modules of a service worker have no top-level `await`, so the bytes are
 * embedded in a module.
 */
export const serviceWorker: Runtime = {
  ...common('Chromium, a service worker'),
  left: ({ id, needsNode }) => needsNode ?? (id === 'minimal' ? NO_IMPORT : undefined),
  async run(cell, project) {
    const name = project.writeCell(cell, 'paths', wasmAsText(project))
    writeFileSync(join(project.folder, `sw-${cell.id}.js`), workerText(name))
    const html = `sw-${cell.id}.html`
    writeFileSync(join(project.folder, html), registration(`sw-${cell.id}.js`))
    return inBrowser(project, html)
  },
}

function common(title: string): Pick<Runtime, 'title' | 'version' | 'absent' | 'isPinned' | 'left'> {
  return { title, version, absent: browserless, isPinned: false, left: ({ needsNode }: Cell) => needsNode }
}

function workerText(cell: string): string {
  return `import { report } from './${cell}'
addEventListener('install', () => skipWaiting())
addEventListener('message', (event) => event.waitUntil(report().then((results) => event.source.postMessage(results))))
`
}

function registration(script: string): string {
  return `<!doctype html>
<title>reach</title>
<script type="module">
  navigator.serviceWorker.addEventListener('message', ({ data }) => (globalThis.results = data))
  const { installing, waiting, active } = await navigator.serviceWorker.register('./${script}', { type: 'module' })
  ;(installing ?? waiting ?? active).postMessage('run')
</script>
`
}

async function inBrowser({ folder }: Project, html: string): Promise<readonly StepResult[]> {
  const { origin, close } = await servePages(folder)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(`${origin}/${html}`)
    const found = await page
      .waitForFunction(() => (globalThis as unknown as { results?: unknown }).results, null, { timeout: WAIT_MS })
      .catch((error: Error) => {
        throw new Error(`${faults.join('; ')} ${error.message}`)
      })
    return (await found.jsonValue()) as readonly StepResult[]
  } finally {
    await browser.close()
    close()
  }
}
