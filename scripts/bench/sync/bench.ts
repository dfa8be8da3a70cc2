/** Measures the sync API of the shipped program, against a bound that is measured in the same run. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Service, startService } from '../../service.ts'
import { isMet, Rows, roundsOf, show } from '../harness/figures.ts'
import { type Load, load, textOf, toRequest } from '../harness/load.ts'
import { builtFile, memoryOf, withFolder } from '../harness/processes.ts'
import { compareEmbedded } from './embedded.ts'
import { createSigner, type Push } from './pushes.ts'

/** Number of rounds. Compared values are measured in the same round. */
const ROUNDS = roundsOf(5)
const PUSHES = Number(process.env['SVC_BENCH_PUSHES'] ?? 4_000)
/** Number of receipts in the filled store; 0 leaves this comparison out. */
const FILL = Number(process.env['SVC_BENCH_FILL'] ?? 100_000)
const CONCURRENCY = 64
const MIB = 2 ** 20

const PATH = '/api/v2/sync/pushes'
const signer = createSigner()

/** Runs the comparison. Returns false if a bar is missed. */
export function bench(): Promise<boolean> {
  builtFile('server-full')
  return withFolder(async (folder) => {
    const service = await startSync(folder)
    try {
      const met = await compareWithBound(service, folder)
      const filled = FILL === 0 || (await compareFilled(service, folder))
      return [met, filled, await compareEmbedded(signer)].every(Boolean)
    } finally {
      await service.stop()
    }
  })
}

/**
 * Starts a service with an enrolled device. The timeout is long, because a client that waits for CPU time is not idle.
 */
export async function startSync(
  folder: string,
  scopes: readonly string[] = ['kbd-control:bench'],
  key: string = signer.publicKey,
): Promise<Service> {
  const keyFile = join(folder, 'key.pub')
  writeFileSync(keyFile, key)
  const service = await startService({
    ...{ SVC_SYNC__WINDOW_PAST_MS: '86400000', SVC_SERVER__IDLE_TIMEOUT_MS: '120000' },
    RUST_LOG: 'off,svc::transport=info',
  })
  await service.svc('device', 'enroll', '--key', keyFile, ...scopes.flatMap((scope) => ['--scope', scope]))
  return service
}

/** Replays are compared with the bound too; a comparison with new pushes would fail whenever those become faster. */
async function compareWithBound(service: Service, folder: string): Promise<boolean> {
  await push(service, signer.make(PUSHES), 16)
  show('new pushes, 1 at once', ...textOf(await push(service, signer.make(PUSHES / 4), 1)))
  const rows = new Rows()
  for (let round = 0; round < ROUNDS; round++) {
    const pushes = signer.make(PUSHES)
    rows.add('bound', signer.measureBound(join(folder, `bound-${round}.db`), signer.make(PUSHES)))
    const [fresh, replay] = [await push(service, pushes), await push(service, pushes, CONCURRENCY, 200)]
    show('bound: verify and grouped commit', `${rows.values('bound').at(-1)!.toFixed(0)}/s`)
    show(`new pushes, ${CONCURRENCY} at once`, ...textOf(fresh))
    show(`replays, ${CONCURRENCY} at once`, ...textOf(replay))
    rows.add('new', fresh.perSecond)
    rows.add('replays', replay.perSecond)
  }
  return [
    isMet('new pushes against the bound', rows.ratio('new', 'bound'), 0.6),
    isMet('replays against the bound', rows.ratio('replays', 'bound'), 1.5),
  ].every(Boolean)
}

/** Compares memory and the time of a push on a filled store with those on an empty store. */
async function compareFilled(filled: Service, folder: string): Promise<boolean> {
  let halfBytes = 0
  for (let done = 0; done < FILL; done += 5_000) {
    await push(filled, signer.make(5_000))
    if (done >= FILL / 2 && halfBytes === 0) halfBytes = memoryOf([filled.pid])
  }
  const growthMiB = (memoryOf([filled.pid]) - halfBytes) / MIB
  show('memory after half of the receipts', `${(halfBytes / MIB).toFixed(0)} MiB`)
  const empty = await startSync(folder)
  try {
    await push(empty, signer.make(PUSHES))
    const rows = new Rows()
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, service] of Object.entries({ 'an empty store': empty, [`${FILL} receipts`]: filled })) {
        const one = await push(service, signer.make(PUSHES))
        show(`new pushes on ${name}`, ...textOf(one))
        rows.add(name, one.perSecond)
      }
    return [
      isMet('MiB of memory of the second half', growthMiB, 16, 'at most'),
      isMet(`time per push on ${FILL} receipts`, rows.ratio('an empty store', `${FILL} receipts`), 1.2, 'at most'),
    ].every(Boolean)
  } finally {
    await empty.stop()
  }
}

function push(service: Service, pushes: readonly Push[], connections = CONCURRENCY, status = 201): Promise<Load> {
  const requests = pushes.map(({ body }) => toRequest('POST', PATH, [], body))
  return load({ to: { path: service.socketPath }, requests, connections, status })
}
