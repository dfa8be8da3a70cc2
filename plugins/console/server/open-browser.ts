/**
 * Opens the browser. The address is passed in a file and not as an argument, because other users can read arguments.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Opens a file that only this user can read and that redirects to the address. Resolves to a function that removes the
 * file. Rejects if the program that opens files cannot be started.
 */
export async function openBrowser(address: string): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-console-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const file = join(folder, 'open.html')
  const page = `<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0;url=${address}">\n<title>svc console</title>\n`
  try {
    writeFileSync(file, page, { mode: 0o600, flag: 'wx' })
    await start(process.platform === 'darwin' ? 'open' : 'xdg-open', file)
  } catch (error) {
    remove()
    throw error
  }
  return remove
}

function start(program: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [file], { stdio: 'ignore', detached: true })
    child.once('error', reject)
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}
