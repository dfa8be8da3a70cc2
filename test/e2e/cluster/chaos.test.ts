/**
 * `make cluster CHAOS=1`: each kind of process is killed, no acknowledged change is missing, and changes that the test
 * removes are found.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readAddress } from '../../../plugins/cluster/nats/address.ts'
import { purge } from '../../../plugins/cluster/nats/jetstream.ts'
import { ALL_RUNS, RUNS } from '../../../plugins/cluster/nats/names.ts'
import { distDir, root } from '../../../scripts/build/paths.ts'
import { noOpenssl } from '../../../scripts/cluster/certificates.ts'
import { clusteredNats, noReplicas } from '../../../scripts/cluster/engines.ts'
import { withinLimit } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { noCluster } from './rig.ts'

const test = suite('make cluster CHAOS=1')

/**
 * How long the start of all processes and the kills may take together, in milliseconds. The next kill waits
 * until all processes work again. The rest of the time is for the last comparison, which starts all nodes again.
 */
const KILLS_MS = withinLimit(600_000, 0.6)

/** How long everything may take together, in milliseconds. */
const ALL_MS = withinLimit(900_000, 0.98)

const program = join(distDir('server-cluster'), 'svc.mjs')

/** Starts the cluster with a kill every few seconds. */
const start = (): Child =>
  startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', join(root, 'scripts/cluster/cli.ts'), program],
    env: {
      ...{ PATH: process.env['PATH']!, HOME: folderWith(), NATS_SERVER: clusteredNats },
      ...{ SVC_SERVER__PORT: '0', CHAOS: '1', EVERY: '5' },
    },
  })

/** A line with many events and changes of keys. How many there are after four kills depends on the machine. */
const manyChanges = /^\d+ s: .*acknowledged \d{3,} events and \d{2,} changes of keys/m

/** The number of missing changes in the last line. */
function missingOf({ out }: Child): number {
  const [, missing] = /^In all: acknowledged \d+ events and \d+ changes of keys, .*missing (\d+)\.$/m.exec(out) ?? []
  assert.ok(missing !== undefined, out)
  return Number(missing)
}

/** The login of a node to NATS, from the environment of a running node. */
function loginOf({ out }: Child): ConnectionOptions {
  const [, pid] = /^node 2 +process (\d+)/m.exec(out)!
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  const settingOf = (name: string): string =>
    environment.find((one) => one.startsWith(`${name}=`))!.slice(name.length + 1)
  const { servers, user, pass } = readAddress(settingOf('SVC_CLUSTER__NATS_URL'))!
  return { servers, user: user!, pass: pass!, tls: { caFile: settingOf('SVC_CLUSTER__NATS_CA_FILE') } }
}

/** Removes the events of all runs from NATS, with the rights of a node. */
async function loseRuns(login: ConnectionOptions): Promise<void> {
  const nats = await connect(login)
  try {
    await purge(nats, RUNS, ALL_RUNS, Number.MAX_SAFE_INTEGER)
  } finally {
    await nats.close()
  }
}

const missing =
  noCluster ?? noReplicas ?? noOpenssl ?? (existsSync('/proc/self/environ') ? undefined : 'there is no /proc')

testUnless(
  test,
  missing,
  'after kills of a node, the leader, PostgreSQL and another server no acknowledged change is missing; then lost runs are reported',
  async () => {
    const beganMs = performance.now()
    const endMs = beganMs + KILLS_MS
    const child = start()
    let end: { readonly code: number | null } | undefined
    try {
      await child.waitFor(/Ctrl-C ends all\./, endMs - performance.now())
      // Before the first kill, because the printed process ids are still valid.
      const login = loginOf(child)
      for (const killed of ['node \\d', 'NATS s\\d, which leads the runs', 'PostgreSQL', 'NATS s\\d'])
        await child.waitFor(new RegExp(`^\\d+ s: killed ${killed}; .*missing 0`, 'm'), endMs - performance.now())
      await child.waitFor(manyChanges, endMs - performance.now())
      assert.not.match(child.out, /missing [1-9]/)
      await loseRuns(login)
    } finally {
      end = await child.stop('SIGINT', beganMs + ALL_MS - performance.now())
    }
    assert.is(end.code, 1, `the exit code is ${end.code}\n${child.out}${child.err}`)
    assert.ok(missingOf(child) > 0, child.out)
    // Which run of a writer it is depends on the machine: a writer begins another one after 1 000 events.
    assert.match(child.out, /^ {2}missing: writer-\d-\d+: /m)
  },
)

test.run()
