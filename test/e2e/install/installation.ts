/** The installation of docs/operating.md: its commands, its configuration and its unit, on a bare machine. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { cannotMake, createMachine, type Machine, writeOn } from './machine.ts'
import { readUnit, type UnitFile } from './unit-file.ts'

const executable = join(distDir('server-full'), 'svc')
/** Why nothing can be installed here; undefined where it can. */
export const cannot: string | undefined = existsSync(executable) ? cannotMake : `${executable} has not been built`

/** What the page says. */
export interface Installation {
  readonly unit: UnitFile
  /** The path of the executable. */
  readonly program: string
  /** A machine on which somebody did what the page says, with a free port. */
  install(): Promise<Machine>
}

/** Reads the page, given as text. */
export function installationOf(page: string): Installation {
  /** The text of the only block that matches. */
  const block = (start: RegExp): string => {
    const found = [...page.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].flatMap(([, text]) =>
      start.test(text!) ? text! : [],
    )
    assert.is(found.length, 1, String(start))
    return found[0]!
  }
  const unit = readUnit(block(/^# \/etc\/systemd\/system\/svc\.service\n/))
  return {
    unit,
    program: unit.command[0]!,
    async install() {
      const machine = createMachine()
      copyFileSync(executable, join(machine.root, 'root/svc'))
      const done = machine.run(['sh', '-euc', block(/^useradd /)], { cwd: '/root' })
      assert.is(done.code, 0, done.err)
      const config = readFileSync(join(machine.root, 'etc/svc/config.json'), 'utf8')
      assert.match(config, '"port": 8080')
      writeOn(machine, 'etc/svc/config.json', config.replace('8080', String(await freePort())))
      return machine
    },
  }
}
