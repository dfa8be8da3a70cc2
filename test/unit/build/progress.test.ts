/** What a build shows of itself while it runs. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createProgress, type ProgressStream } from '../../../scripts/progress.ts'

const test = suite('progress')

/** A stream that keeps what it is given, and a clock that goes on by 1.5 s at each look. */
function stage(isTTY: boolean, columns = 80): { stream: ProgressStream; said: () => string; now: () => number } {
  let text = ''
  let ms = 0
  return {
    stream: { isTTY, columns, write: (part) => (text += part) },
    said: () => text,
    now: () => (ms += 1_500),
  }
}

test('elsewhere than on a terminal each step is a line, with its time and nothing that moves', async () => {
  const { stream, said, now } = stage(false)
  const progress = createProgress('edge', { stream, now, environment: {} })
  assert.is(await progress.step('plan', () => 7), 7)
  await progress.step('prove', async () => undefined)
  progress.end()
  assert.is(said(), 'edge: plan 1.5 s\nedge: prove 1.5 s\n')
})

test('a dumb terminal gets the same lines', async () => {
  const { stream, said, now } = stage(true)
  const progress = createProgress('edge', { stream, now, environment: { TERM: 'dumb' } })
  await progress.step('plan', () => undefined)
  progress.end()
  assert.is(said(), 'edge: plan 1.5 s\n')
})

test('on a terminal one line is drawn over, from the first moment of a step on, and ended once', async () => {
  const { stream, said, now } = stage(true)
  const progress = createProgress('edge', { stream, now, environment: { NO_COLOR: '1' } })
  let early = ''
  await progress.step('plan', () => {
    early = said()
  })
  assert.match(early, /^\r\u001b\[Kedge: plan 1\.5 s ⠋$/)
  await progress.step('prove', () => undefined)
  progress.end()
  progress.end()
  const drawn = said().split('\r\u001b[K')
  assert.match(drawn.at(-1)!, /^edge: plan \d+\.\d s, prove \d+\.\d s\n$/)
  assert.is(said().split('\n').length, 2, 'one line in all')
  assert.not.ok(said().includes('\u001b[2m'), 'NO_COLOR')
})

test('a terminal that may have colour gets it, and one that is narrow gets the step that runs', async () => {
  const { stream, said, now } = stage(true, 20)
  const progress = createProgress('edge', { stream, now, environment: { NO_COLOR: '' } })
  await progress.step('generate', () => undefined)
  await progress.step('bundle', () => undefined)
  progress.end()
  assert.ok(said().includes('\u001b[2m'))
  const last = said()
    .split('\r\u001b[K')
    .at(-1)!
    .replaceAll(/\u001b\[\d+m/g, '')
  assert.match(last, /^edge: bundle \d+\.\d s\n$/)
})

test('the time goes on while a step runs, and a step that fails leaves the line to the error', async () => {
  const { stream, said, now } = stage(true)
  const progress = createProgress('edge', { stream, now, environment: {} })
  const failing = progress.step('prove', async () => {
    await new Promise((done) => setTimeout(done, 350))
    throw new Error('no')
  })
  assert.instance(await failing.catch((error: unknown) => error), Error)
  progress.end()
  assert.ok(said().split('\r\u001b[K').length >= 4, said())
  assert.ok(said().endsWith('\n'))
})

test.run()
