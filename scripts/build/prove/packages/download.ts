/** Downloads a package of the lock file with npm, and rejects it if the hash differs. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locked } from './pins.ts'

/**
 * Downloads and unpacks a package into an empty folder.
 * @throws Error if npm cannot download the package, or its hash differs from the lock file
 */
export function downloadPackage(place: string, { version, name, integrity }: Locked, folder: string): void {
  const spec = `${name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`
  const work = mkdtempSync(join(tmpdir(), 'svc-package-'))
  try {
    const args = ['pack', spec, '--pack-destination', work, '--prefer-offline', '--silent']
    const options = { encoding: 'utf8', cwd: work, shell: process.platform === 'win32' } as const
    const file = join(work, execFileSync('npm', args, options).trim())
    const sha512 = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
    if (sha512 !== integrity) throw new Error(`${spec} is ${sha512}, and the lock file says ${integrity}.`)
    mkdirSync(folder, { recursive: true })
    // The top folder of an archive has no fixed name.
    execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1'])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
