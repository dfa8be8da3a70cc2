/** Benchmark of the sync API on the shipped program, against a bound that is measured in the same run. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../statistics.ts'
import { type Load, run, toPush, toRead } from './client.ts'
import { benchEmbedded } from './embedded.ts'
import { createSigner, type Push } from './pushes.ts'
import { program, startService } from './service.ts'

/**
 * The bars, as ratios within one run. Replays are compared with the bound too; a comparison with new pushes would fail
 * whenever those become faster.
 */
const BARS = { ofBound: 0.6, replay: 1.5, filled: 1.2, growthMiB: 16 } as const

/** Number of rounds. Compared values are measured in the same round; the median of the ratios counts. */
const ROUNDS = 5
const PUSHES = Number(process.env['SVC_BENCH_PUSHES'] ?? 4_000)
const FILL = Number(process.env['SVC_BENCH_FILL'] ?? 100_000)
const CONCURRENCY = 64

/**
 * Runs the comparison. Returns false if a bar is missed. `SVC_BENCH_FILL` sets the number of receipts in the filled
 * store.
 */
export async function benchSync(): Promise<boolean> {
  if (!existsSync(program)) throw new Error('Build first: make build PROFILE=server-full')
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const signer = createSigner()
  const keyFile = join(folder, 'key.pub')
  writeFileSync(keyFile, signer.publicKey)
  const start = (name: string) => {
    mkdirSync(join(folder, name))
    return startService(join(folder, name), keyFile)
  }
  const failures: string[] = []
  const bar = (name: string, value: number, ok: boolean, wanted: string): void => {
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${value.toFixed(2)} (${wanted})`)
    if (!ok) failures.push(name)
  }

  const service = await start('first')
  try {
    await push(service.socketPath, signer.make(PUSHES), 16)
    for (const concurrency of [1, 8]) {
      const load = await push(service.socketPath, signer.make(PUSHES / 4), concurrency)
      show(`new pushes, ${concurrency} at once`, load)
    }
    const ofBound: number[] = []
    const replays: number[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const pushes = signer.make(PUSHES)
      const bound = signer.measureBound(join(folder, `bound-${i}.db`), signer.make(PUSHES))
      const fresh = await push(service.socketPath, pushes, CONCURRENCY)
      const replay = await push(service.socketPath, pushes, CONCURRENCY, '200')
      console.log(`${'bound: verify and grouped commit'.padEnd(34)} ${bound.toFixed(0).padStart(7)}/s`)
      show(`new pushes, ${CONCURRENCY} at once`, fresh)
      show(`replays, ${CONCURRENCY} at once`, replay)
      show(`receipt reads, ${CONCURRENCY} at once`, await read(service.socketPath, pushes))
      ofBound.push(fresh.perSecond / bound)
      replays.push(replay.perSecond / bound)
    }
    bar(
      'new pushes against the bound',
      median(ofBound),
      median(ofBound) >= BARS.ofBound,
      `at least ${BARS.ofBound}, median of ${ROUNDS} rounds`,
    )
    bar(
      'replays against the bound',
      median(replays),
      median(replays) >= BARS.replay,
      `at least ${BARS.replay}, median of ${ROUNDS} rounds`,
    )
    if (FILL > 0) {
      const beforeMiB = service.residentMiB()
      let halfMiB = 0
      for (let done = 0; done < FILL; done += 5_000) {
        await push(service.socketPath, signer.make(5_000), CONCURRENCY)
        if (done >= FILL / 2 && halfMiB === 0) halfMiB = service.residentMiB()
      }
      const growthMiB = service.residentMiB() - halfMiB
      console.log(
        `memory: ${beforeMiB.toFixed(0)} MiB, ${halfMiB.toFixed(0)} half way, ${(halfMiB + growthMiB).toFixed(0)} at the end`,
      )
      bar('memory of the second half', growthMiB, growthMiB < BARS.growthMiB, `less than ${BARS.growthMiB} MiB more`)
      const ratio = await compareFilled(service.socketPath)
      bar(`time per push on ${FILL} receipts`, ratio, ratio <= BARS.filled, `at most ${BARS.filled}`)
    }
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  if (!(await benchEmbedded(signer))) failures.push('embedded')
  return failures.length === 0

  /** The time of a push on the filled store, divided by that on an empty store: two services, in turns. */
  async function compareFilled(filledPath: string): Promise<number> {
    const empty = await start('second')
    try {
      await push(empty.socketPath, signer.make(PUSHES), CONCURRENCY)
      const ratios: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        const onEmpty = await push(empty.socketPath, signer.make(PUSHES), CONCURRENCY)
        const onFilled = await push(filledPath, signer.make(PUSHES), CONCURRENCY)
        show('new pushes on an empty store', onEmpty)
        show(`new pushes on ${FILL} receipts`, onFilled)
        ratios.push(onEmpty.perSecond / onFilled.perSecond)
      }
      return median(ratios)
    } finally {
      await empty.stop()
    }
  }
}

/** Sends pushes. Throws if an answer has another status. */
async function push(socketPath: string, pushes: readonly Push[], concurrency: number, expected = '201'): Promise<Load> {
  const load = await run(
    socketPath,
    pushes.map(({ body }) => toPush(body)),
    concurrency,
  )
  if (Object.keys(load.statuses).join() !== expected)
    throw new Error(`expected ${expected} only, got ${JSON.stringify(load.statuses)}`)
  return load
}

function read(socketPath: string, pushes: readonly Push[]): Promise<Load> {
  return run(
    socketPath,
    pushes.map(({ pushId }) => toRead(pushId)),
    CONCURRENCY,
  )
}

function show(name: string, { perSecond, p50Ms, p99Ms }: Load): void {
  console.log(
    `${name.padEnd(34)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms`,
  )
}
