/** Brings a package of the lock file as npm downloads it, and refuses any other bytes. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locked } from './pins.ts'

/**
 * Unpacks a package into an empty folder.
 * @throws Error if npm cannot get it, or its hash is not that of the lock file
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
    // The first folder has no fixed name.
    execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1'])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
