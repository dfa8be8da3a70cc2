/** Realms without a host: a new realm of node:vm, and the shell of JavaScriptCore. Each cell is one script. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { createBareRealm, loadInBareRealm } from '../../support/bare-realm.ts'
import { startChild } from '../../support/child.ts'
import { again } from '../../support/skip.ts'
import type { Cell } from '../cells.ts'
import type { Project } from '../project.ts'
import type { StepResult } from '../suite/runner.ts'
import { MARK, type Runtime, resultsOf } from './runtime.ts'

const FETCH = 'it needs `fetch`, `Request` and `Response`, which a realm without a host lacks'

const CRYPTO = 'it needs WebCrypto, which a realm without a host lacks'

/** The reason why a cell cannot run in a realm without a host. Returns undefined if it can. */
export function leftInRealm({ id, needsNode }: Cell): string | undefined {
  if (['embedded', 'native', 'vectors'].includes(id)) return undefined
  return needsNode ?? (id === 'jwt' ? CRYPTO : FETCH)
}

/** The row of a realm with only the language and the globals of the platform `bare`. */
export const realm: Runtime = {
  title: 'a bare realm of `node:vm`',
  version: process.versions.v8,
  absent: undefined,
  isPinned: true,
  left: leftInRealm,
  async run(cell, project) {
    const name = project.writeCell(cell, 'paths', 'export default globalThis.sqlWasm\n')
    const sqlWasm = new Uint8Array(readFileSync(join(project.folder, 'svc/embedded-mobile/sql-wasm.wasm')))
    const { report } = await loadInBareRealm(join(project.folder, name), createBareRealm({ sqlWasm }))
    const results = await (report as () => Promise<readonly StepResult[]>)()
    return JSON.parse(JSON.stringify(results)) as readonly StepResult[]
  },
}

/** The path of the shell: that of `SVC_JSC`, or the path in Debian. */
const shell = [process.env['SVC_JSC'], '/usr/bin/jsc', '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/jsc'].find(
  (path) => path !== undefined && existsSync(path),
)

/** How often a script is run at most: a shell that crashes says nothing about the script. */
const TRIES = 3

/** The row of JavaScriptCore. The shell lacks three globals of the platform `bare`, which the script adds. */
export const javaScriptCore: Runtime = {
  title: 'JavaScriptCore, its shell',
  version: process.env['SVC_JSC_VERSION'] ?? 'of the system',
  absent: shell === undefined ? 'no `jsc` (Debian: libjavascriptcoregtk-4.0-bin; or set SVC_JSC)' : undefined,
  isPinned: false,
  left: leftInRealm,
  async run(cell, project) {
    const script = join(project.folder, `jsc-${cell.id}.js`)
    writeFileSync(script, `${LENT}${ENGINE}${await scriptOf(cell, project)}\n${TAIL}`)
    for (let tries = 1; ; tries++) {
      const child = startChild(shell!, { args: [script], cwd: project.folder })
      const { signal } = await child.exited
      if (signal === null || tries === TRIES) return resultsOf(child)
      again(`${javaScriptCore.title} ended with ${signal}`)
    }
  },
}

/** Bundles a cell as a script. `cell.report()` in the script resolves with the results. */
export async function scriptOf(cell: Cell, project: Project): Promise<string> {
  const name = project.writeCell(cell, 'paths', 'export default globalThis.sqlWasm\n')
  const { outputFiles } = await build({
    entryPoints: [join(project.folder, name)],
    bundle: true,
    format: 'iife',
    globalName: 'cell',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}

/**
 * Source of the missing globals: encoding and decoding of text (WHATWG Encoding, section 8.1), and random numbers that
 * are good enough for a test.
 */
export const LENT: string = `globalThis.TextEncoder ??= class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), (unit) => unit.charCodeAt(0))
  }
}
globalThis.TextDecoder ??= class {
  #needed = 0
  #code = 0
  #lower = 0x80
  #upper = 0xbf
  constructor(label, { fatal = false, ignoreBOM = false } = {}) {
    this.#fatal = fatal
    this.#skipsMark = !ignoreBOM
  }
  #fatal
  #skipsMark
  decode(bytes = [], { stream = false } = {}) {
    const parts = []
    const wrong = () => {
      if (this.#fatal) throw new TypeError('not UTF-8')
      parts.push('\\ufffd')
    }
    const begin = (byte) => {
      if (byte < 0x80) return parts.push(String.fromCharCode(byte))
      this.#needed = byte >= 0xf0 && byte <= 0xf4 ? 3 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xc2 && byte < 0xe0 ? 1 : 0
      if (this.#needed === 0) return wrong()
      this.#code = byte & (0x3f >> this.#needed)
      this.#lower = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
      this.#upper = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
    }
    for (const byte of bytes) {
      if (this.#needed === 0) begin(byte)
      else if (byte < this.#lower || byte > this.#upper) {
        this.#needed = 0
        wrong()
        begin(byte)
      } else {
        this.#code = (this.#code << 6) | (byte & 0x3f)
        this.#lower = 0x80
        this.#upper = 0xbf
        if (--this.#needed === 0) parts.push(String.fromCodePoint(this.#code))
      }
    }
    if (!stream && this.#needed > 0) {
      this.#needed = 0
      wrong()
    }
    const text = parts.join('')
    return this.#skipsMark && text.startsWith('\\ufeff') ? text.slice(1) : text
  }
}
globalThis.crypto ??= { getRandomValues: (array) => array.map((_, at, all) => (all[at] = Math.random() * 256)) }
`

const ENGINE = `globalThis.sqlWasm = readFile('svc/embedded-mobile/sql-wasm.wasm', 'binary')
`

const TAIL = `cell.report().then((results) => print('${MARK}' + JSON.stringify(results)), (error) => print(String(error)))
`
