/**
 * Compares the engine with an oracle, on a host that fails, hangs, saves late or twice, and whose process dies in
 * between: no acknowledged push is lost, no push is executed twice, and no push is executed at an unexpected frontier.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { Embedded } from '../../../plugins/sync/store-sqljs/create-embedded.ts'
import { countOf } from '../../support/count.ts'
import { createHostRig, createLyingDatabase, deferred, type Lie } from './host-rig.ts'
import { settleLoop } from './platforms.ts'

type Save = 'good' | 'fails' | 'lands and fails' | 'late' | 'late and fails' | 'twice'
type Apply = 'good' | 'throws' | 'late' | 'late and throws'
type Op =
  | { readonly kind: 'push'; readonly domain: number; readonly expects: boolean }
  | { readonly kind: 'resend'; readonly which: number }
  | { readonly kind: 'release' | 'crash' | 'close' }

interface Push {
  readonly id: string
  readonly domain: string
  readonly expected: string | undefined
  readonly body: Uint8Array
  acknowledged: boolean
}

/** The store under test. */
type StoreOf = 'bytes' | 'database'

/** The fault of a transaction that corresponds to the fault of a save. */
const LIES: Readonly<Record<Save, Lie>> = {
  good: 'good',
  fails: 'commit fails',
  'lands and fails': 'commit lands and fails',
  late: 'locked',
  'late and fails': 'rollback fails',
  twice: 'bigints',
}

function createLiar(store: StoreOf, saves: readonly Save[], applies: readonly Apply[]) {
  /** Timers that fire when all other work has settled. */
  const timers = new Map<number, () => void>()
  const held = new Set<ReturnType<typeof deferred>>()
  const pushes: Push[] = []
  const heads = new Map<string, string>()
  /** The pushes that took effect, and the pushes whose `apply` succeeded in this run of the process. */
  const effects = new Map<string, number>()
  let succeeded = new Set<string>()
  let processNumber = 0
  let isHonest = false
  let nextTimer = 0
  let saveCount = 0
  let applyCount = 0
  let saving = 0
  const mode = <T>(list: readonly T[], no: number, good: T): T => (isHonest ? good : (list[no % list.length] ?? good))
  const hold = async (): Promise<void> => {
    const gate = deferred()
    held.add(gate)
    await gate.promise
  }
  const rig = createHostRig((state) => ({
    timers: {
      setTimeout: (run) => {
        timers.set(++nextTimer, run)
        return nextTimer
      },
      clearTimeout: (timer) => void timers.delete(timer as number),
    },
    persistence: {
      load: () => state.saved,
      save: async (bytes) => {
        const ownProcess = processNumber
        const saveMode = mode(saves, saveCount++, 'good')
        assert.is(++saving, 1, 'one save at a time')
        if (saveMode.startsWith('late')) await hold()
        // A dead process saves nothing.
        if (ownProcess !== processNumber) return
        saving--
        if (saveMode !== 'fails' && saveMode !== 'late and fails') state.saved = bytes.slice()
        if (saveMode === 'twice') await Promise.resolve().then(() => (state.saved = bytes.slice()))
        bytes.fill(0)
        if (saveMode.endsWith('fails')) throw new Error('not saved')
      },
    },
    frontier: (domain) => ({ heads: heads.has(domain) ? [heads.get(domain)!] : [] }),
    apply: async (domain, { pushId, canonicalPayloadHash }) => {
      const ownProcess = processNumber
      const push = pushes.find(({ id }) => id === pushId)!
      assert.not(succeeded.has(pushId), 'not applied again once it has succeeded')
      assert.not(push.acknowledged, 'not applied again once it was acknowledged')
      const applyMode = mode(applies, applyCount++, 'good')
      if (applyMode.startsWith('late')) await hold()
      if (ownProcess !== processNumber) return
      if (applyMode.endsWith('throws')) throw new Error('not applied')
      succeeded.add(pushId)
      // A correct host does not apply an id twice.
      if (effects.has(pushId)) return
      if (push.expected !== undefined) assert.is(heads.get(domain) ?? '', push.expected, 'at the expected frontier')
      effects.set(pushId, 1)
      heads.set(domain, canonicalPayloadHash)
    },
  }))

  const lying = createLyingDatabase(() => LIES[mode(saves, saveCount++, 'good')])
  if (store === 'database') rig.database = lying.database

  const rest = async <T>(work: Promise<T>): Promise<T> => {
    let settled = false
    const watched = work.finally(() => (settled = true))
    watched.catch(() => {})
    for (let i = 0; i < 50 && !settled; i++) {
      await settleLoop()
      if (settled) break
      const due = [...timers.values()]
      timers.clear()
      for (const run of due) run()
    }
    assert.ok(settled, 'every call settles')
    return watched
  }
  return {
    rig,
    pushes,
    heads,
    effects,
    rest,
    behave: () => {
      isHonest = true
      lying.behave()
    },
    release: async () => {
      for (const gate of held) gate.resolve()
      held.clear()
      await settleLoop()
    },
    die: () => {
      processNumber++
      saving = 0
      held.clear()
      timers.clear()
      succeeded = new Set()
      lying.die()
      if (store === 'database') rig.database = lying.open()
    },
  }
}

async function submit(engine: Embedded, push: Push, rest: <T>(work: Promise<T>) => Promise<T>): Promise<string> {
  try {
    const { status } = await rest(engine.sync.submit(push.body))
    if (push.acknowledged) assert.is(status, 200, 'an acknowledged push is a replay')
    push.acknowledged = true
    return String(status)
  } catch (error) {
    if (!isSvcError(error)) throw error
    assert.ok(error.status === 503 || error.code === 'frontier_mismatch', error.code)
    if (push.acknowledged) assert.is(error.status, 503, 'an acknowledged push is never refused')
    return error.code
  }
}

for (const store of ['bytes', 'database'] as const)
  test(`no acknowledged push is lost, no push is executed twice, and the engine works once the host does (${store})`, () =>
    compare(store))

async function compare(store: StoreOf): Promise<void> {
  const op = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('push' as const), domain: fc.nat(1), expects: fc.boolean() }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('resend' as const), which: fc.nat(9) }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('release' as const, 'crash' as const, 'close' as const) }),
    },
  )
  const save = fc.constantFrom<Save>(
    'good',
    'good',
    'good',
    'fails',
    'lands and fails',
    'late',
    'late and fails',
    'twice',
  )
  const apply = fc.constantFrom<Apply>('good', 'good', 'good', 'throws', 'late', 'late and throws')
  const lists = [
    fc.array(save, { minLength: 1, maxLength: 12 }),
    fc.array(apply, { minLength: 1, maxLength: 8 }),
  ] as const
  const runs = countOf({ quick: 10, deep: 80, variable: 'SVC_LIES_RUNS' })
  let faults = 0
  await fc.assert(
    fc.asyncProperty(fc.array(op, { maxLength: 16 }), ...lists, async (ops: readonly Op[], saves, applies) => {
      const { rig, pushes, heads, effects, rest, behave, release, die } = createLiar(store, saves, applies)
      let engine = await rig.start()
      for (const one of ops) {
        if (one.kind === 'push') {
          const id = randomUUID()
          const domain = `kbd-control:${'ab'[one.domain]}`
          const expected = one.expects ? (heads.get(domain) ?? '') : undefined
          const expectedFrontier = expected === undefined ? null : { heads: expected === '' ? [] : [expected] }
          const push = {
            id,
            domain,
            expected,
            body: rig.push({ requestId: id, domain, expectedFrontier }),
            acknowledged: false,
          }
          pushes.push(push)
          if ((await submit(engine, push, rest)) !== '201') faults++
        } else if (one.kind === 'resend') {
          const push = pushes[one.which % Math.max(pushes.length, 1)]
          if (push !== undefined) await submit(engine, push, rest)
        } else if (one.kind === 'release') await release()
        else {
          if (one.kind === 'close') await rest(engine.close())
          die()
          engine = await rig.start()
        }
      }
      behave()
      await release()
      for (const push of pushes) {
        const answer = await submit(engine, push, rest)
        if (effects.has(push.id)) assert.match(answer, /^20[01]$/, 'a push that took effect is acknowledged in the end')
        else assert.is(answer, 'frontier_mismatch')
      }
      for (const push of pushes)
        if (push.acknowledged) assert.ok(effects.has(push.id), 'every acknowledged push took effect')
      await rest(engine.close())
      die()
      const next = await rig.start()
      for (const push of pushes) if (push.acknowledged) assert.is(await submit(next, push, rest), '200')
      await rest(next.close())
    }),
    { numRuns: runs },
  )
  assert.ok(faults > runs / 4, 'the host had faults')
}

test.run()
