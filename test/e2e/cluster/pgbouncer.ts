/** A PgBouncer in front of a PostgreSQL, which gives each transaction whichever connection is free. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/build/paths.ts'
import { startChild } from '../../../scripts/child.ts'
import { type Engine, isOpen, postgresFolder, startEngine } from '../../../scripts/cluster/engines.ts'
import { freePort } from '../../../scripts/free-port.ts'

/** The reason why PgBouncer cannot be started here; undefined if it can. */
export const noPgBouncer: string | undefined =
  spawnSync('pgbouncer', ['--version']).error === undefined ? undefined : 'pgbouncer is not installed'

/** Starts a PgBouncer with the settings that docs/cluster.md names, for the role `svc` without a password. */
export async function startPgBouncer(postgres: Engine): Promise<Engine> {
  const { folder, identity } = postgresFolder()
  const port = await freePort()
  const [, settings] = /```ini\n\[pgbouncer\]\n([^`]+)```/.exec(readFileSync(join(root, 'docs/cluster.md'), 'utf8'))!
  const users = join(folder, 'users.txt')
  writeFileSync(users, '"svc" ""\n')
  const own = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${users}\n`
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `[databases]\nsvc = host=127.0.0.1 port=${postgres.port}\n[pgbouncer]\n${own}${settings}`)
  return startEngine({
    ...{ url: `postgres://svc@127.0.0.1:${port}/svc`, port, folder },
    spawn: () => startChild('pgbouncer', { args: [file], cwd: folder, ...identity }),
    isReady: () => isOpen(port),
  })
}
