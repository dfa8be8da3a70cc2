/** Realms without a host: a new one of node:vm, and the shell of JavaScriptCore. Each cell is one script. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { createBareRealm, loadInBareRealm } from '../../support/bare-realm.ts'
import { startChild } from '../../support/child.ts'
import type { Cell } from '../cells.ts'
import type { StepResult } from '../suite/runner.ts'
import { MARK, type Runtime, resultsIn } from './runtime.ts'

const FETCH = 'it needs `fetch`, `Request` and `Response`, which a realm without a host lacks'

const left = ({ id, needsNode }: Cell): string | undefined => needsNode ?? (id === 'embedded' ? undefined : FETCH)

/** The row of a realm with the language and what the platform `bare` names. */
export const realm: Runtime = {
  title: 'a bare realm of `node:vm`',
  version: process.versions.v8,
  absent: undefined,
  isPinned: true,
  left,
  async run(cell, project) {
    const name = project.writeCell(cell, 'paths', 'export default globalThis.sqlWasm\n')
    const sqlWasm = new Uint8Array(readFileSync(join(project.folder, 'svc/embedded-mobile/sql-wasm.wasm')))
    const { report } = await loadInBareRealm(join(project.folder, name), createBareRealm({ sqlWasm }))
    const results = await (report as () => Promise<readonly StepResult[]>)()
    return JSON.parse(JSON.stringify(results)) as readonly StepResult[]
  },
}

/** The shell, where Debian or `SVC_JSC` has it. */
const shell = [process.env['SVC_JSC'], '/usr/bin/jsc', '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/jsc'].find(
  (path) => path !== undefined && existsSync(path),
)

/** The row of JavaScriptCore. The shell lacks three things of the platform `bare`, which the script brings. */
export const javaScriptCore: Runtime = {
  title: 'JavaScriptCore, its shell',
  version: process.env['SVC_JSC_VERSION'] ?? 'of the system',
  absent: shell === undefined ? 'no `jsc` (Debian: libjavascriptcoregtk-4.0-bin; or set SVC_JSC)' : undefined,
  isPinned: false,
  left,
  async run(cell, project) {
    const name = project.writeCell(cell, 'paths', 'export default globalThis.sqlWasm\n')
    const { outputFiles } = await build({
      entryPoints: [join(project.folder, name)],
      bundle: true,
      format: 'iife',
      globalName: 'cell',
      write: false,
      logLevel: 'error',
    })
    const script = join(project.folder, `jsc-${name}`)
    writeFileSync(script, `${LENT}${outputFiles[0]!.text}\n${TAIL}`)
    const child = startChild(shell!, { args: [script], cwd: project.folder })
    await child.exited
    return resultsIn(`${child.out}\n${child.err}`)
  },
}

/** Encoding of texts, and numbers that are random enough for a test. */
const LENT = `globalThis.TextEncoder ??= class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), (unit) => unit.charCodeAt(0))
  }
}
globalThis.TextDecoder ??= class {
  decode(bytes = []) {
    return decodeURIComponent(escape(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')))
  }
}
globalThis.crypto ??= { getRandomValues: (array) => array.map((_, at, all) => (all[at] = Math.random() * 256)) }
globalThis.sqlWasm = readFile('svc/embedded-mobile/sql-wasm.wasm', 'binary')
`

const TAIL = `cell.report().then((results) => print('${MARK}' + JSON.stringify(results)), (error) => print(String(error)))
`
