/** Benchmark of the sync API on the program that ships, against a bound measured in the same run. */
import { spawn } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, randomUUID, sign, verify } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { canonicalText } from '../../../plugins/sync/engine/canonical.ts'
import { distDir } from '../../build/paths.ts'
import { median } from '../statistics.ts'
import { type Load, run, toPush, toRead } from './client.ts'

/** What must hold, as ratios within one run. */
const BARS = { ofBound: 0.6, replay: 3, filled: 1.2 } as const

/** What is compared is measured together, so often; the median of the ratios counts. */
const ROUNDS = 5
const PUSHES = Number(process.env['SVC_BENCH_PUSHES'] ?? 4_000)
const FILL = Number(process.env['SVC_BENCH_FILL'] ?? 100_000)

const program = join(distDir('server-full'), 'svc.mjs')

interface Made {
  readonly pushId: string
  readonly body: Buffer
  readonly signed: Buffer
  readonly signature: Buffer
}

/** Runs the comparison; false where a bar is missed. `SVC_BENCH_FILL` sets how many receipts the filled store has. */
export async function benchSync(): Promise<boolean> {
  if (!existsSync(program)) throw new Error('Build first: make build PROFILE=server-full')
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const keyFile = join(folder, 'key.pub')
  writeFileSync(keyFile, publicKey.export({ format: 'pem', type: 'spki' }))
  const keyId = `ed25519:${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')}`
  const socketPath = join(folder, 'run', 's.sock')
  const environment = {
    ...process.env,
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SYNC__SOCKET_PATH: socketPath,
    SVC_SYNC__WINDOW_PAST_MS: '86400000',
    SVC_SERVER__MODE: 'sync',
    SVC_SECURITY__JWT_SECRET: 'benchmark-secret-of-at-least-32-bytes',
    SVC_SERVER__PORT: '0',
    RUST_LOG: 'error',
  }

  function make(key: KeyObject): Made {
    const request = {
      schemaVersion: '1.7',
      requestId: randomUUID(),
      domain: 'kbd-control:bench',
      targetEndpointIds: [],
      expectedFrontier: null,
      issuedAtMs: Date.now(),
      signerKeyId: keyId,
    }
    const signed = Buffer.from(canonicalText(request))
    const signature = sign(null, signed, key)
    const body = Buffer.from(JSON.stringify({ ...request, signature: signature.toString('base64') }))
    return { pushId: request.requestId, body, signed, signature }
  }

  /** The least that a durable push can cost: a verification and a row, 64 of them to a commit. Pushes per second. */
  function measureBound(round: number, pushes: readonly Made[]): number {
    const database = new DatabaseSync(join(folder, `bound-${round}.db`))
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (id TEXT PRIMARY KEY, r TEXT) STRICT',
    )
    const insert = database.prepare('INSERT INTO t VALUES (?, ?)')
    const startMs = performance.now()
    for (let i = 0; i < pushes.length; i += 64) {
      database.exec('BEGIN IMMEDIATE')
      for (const { pushId, signed, signature, body } of pushes.slice(i, i + 64)) {
        if (!verify(null, signed, publicKey, signature)) throw new Error('not valid')
        insert.run(pushId, body.toString())
      }
      database.exec('COMMIT')
    }
    const perSecond = pushes.length / ((performance.now() - startMs) / 1000)
    database.close()
    return perSecond
  }

  /** Runs a command of the program to its end. */
  function command(...args: string[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], {
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`))))
    })
  }

  const show = (name: string, { perSecond, p50Ms, p99Ms }: Load): void =>
    console.log(
      `${name.padEnd(34)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms`,
    )

  const push = (pushes: readonly Made[], concurrency: number): Promise<Load> =>
    run(
      socketPath,
      pushes.map(({ body }) => toPush(body)),
      concurrency,
    )

  const read = (pushes: readonly Made[]): Promise<Load> =>
    run(
      socketPath,
      pushes.map(({ pushId }) => toRead(pushId)),
      64,
    )

  function expectStatus({ statuses }: Load, status: string): void {
    if (Object.keys(statuses).join() !== status)
      throw new Error(`expected ${status} only, got ${JSON.stringify(statuses)}`)
  }

  function residentMiB(pid: number): number {
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  }

  const failures: string[] = []
  function bar(name: string, value: number, ok: boolean, wanted: string): void {
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${value.toFixed(2)} (${wanted})`)
    if (!ok) failures.push(name)
  }

  await command('device', 'enroll', '--key', keyFile, '--scope', 'kbd-control:bench')
  const daemon = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    for (let i = 0; i < 100 && !existsSync(socketPath); i++) await new Promise((done) => setTimeout(done, 50))
    const makeMany = (count: number): Made[] => Array.from({ length: count }, () => make(privateKey))
    await push(makeMany(PUSHES), 16)
    for (const concurrency of [1, 8])
      show(`new pushes, ${concurrency} at once`, await push(makeMany(PUSHES / 4), concurrency))
    const rounds: { readonly fresh: Load; readonly replay: Load; readonly bound: number }[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const pushes = makeMany(PUSHES)
      const bound = measureBound(i, makeMany(PUSHES))
      const fresh = await push(pushes, 64)
      expectStatus(fresh, '201')
      const replay = await push(pushes, 64)
      expectStatus(replay, '200')
      console.log(`${'bound: verify and grouped commit'.padEnd(34)} ${bound.toFixed(0).padStart(7)}/s`)
      show('new pushes, 64 at once', fresh)
      show('replays, 64 at once', replay)
      show('receipt reads, 64 at once', await read(pushes))
      rounds.push({ fresh, replay, bound })
    }
    const ofBound = median(rounds.map(({ fresh, bound }) => fresh.perSecond / bound))
    bar('new pushes against the bound', ofBound, ofBound >= BARS.ofBound, `at least ${BARS.ofBound}`)
    const ofFresh = median(rounds.map(({ fresh, replay }) => replay.perSecond / fresh.perSecond))
    bar('replays against new pushes', ofFresh, ofFresh >= BARS.replay, `at least ${BARS.replay}`)
    if (FILL > 0) {
      const beforeMiB = residentMiB(daemon.pid!)
      let halfMiB = 0
      for (let done = 0; done < FILL; done += 5_000) {
        expectStatus(await push(makeMany(5_000), 64), '201')
        if (done >= FILL / 2 && halfMiB === 0) halfMiB = residentMiB(daemon.pid!)
      }
      const filled: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        const bound = measureBound(ROUNDS + i, makeMany(PUSHES))
        const load = await push(makeMany(PUSHES), 64)
        show(`new pushes on ${FILL} receipts`, load)
        filled.push(load.perSecond / bound)
      }
      // Each against the bound of its own minute: the machine is not the same at the end as it was at the beginning.
      const ratio = ofBound / median(filled)
      bar(`time per push on ${FILL} receipts`, ratio, ratio <= BARS.filled, `at most ${BARS.filled}`)
      const afterMiB = residentMiB(daemon.pid!)
      console.log(
        `memory: ${beforeMiB.toFixed(0)} MiB, half way ${halfMiB.toFixed(0)} MiB, at the end ${afterMiB.toFixed(0)} MiB`,
      )
      bar(
        'memory of the second half',
        afterMiB - halfMiB,
        afterMiB - halfMiB < 64,
        'at most 64 MiB more, the page cache',
      )
    }
  } finally {
    daemon.kill('SIGTERM')
    await new Promise((done) => daemon.once('exit', done))
    rmSync(folder, { recursive: true, force: true })
  }
  return failures.length === 0
}
