/** The progress of a build. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createProgress, type ProgressStream } from '../../../scripts/progress.ts'

const test = suite('progress')

/** A stream that records its output, and a clock that advances by 1.5 s at each call. */
function createStream(isTTY: boolean, columns = 80): { stream: ProgressStream; said: () => string; now: () => number } {
  let text = ''
  let ms = 0
  return {
    stream: { isTTY, columns, write: (part) => (text += part) },
    said: () => text,
    now: () => (ms += 1_500),
  }
}

test('on a terminal one line is updated from the start of a step, and ended once', async () => {
  const { stream, said: output, now } = createStream(true)
  const progress = createProgress('edge', { stream, now, environment: { NO_COLOR: '1' } })
  let early = ''
  await progress.step('plan', () => {
    early = output()
  })
  assert.match(early, /^\r\u001b\[Kedge: plan 1\.5 s ⠋$/)
  await progress.step('prove', () => undefined)
  progress.end()
  progress.end()
  const drawn = output().split('\r\u001b[K')
  assert.match(drawn.at(-1)!, /^edge: plan \d+\.\d s, prove \d+\.\d s\n$/)
  assert.is(output().split('\n').length, 2, 'one line in all')
  assert.not.ok(output().includes('\u001b[2m'), 'NO_COLOR')
})

test('a terminal gets colour unless NO_COLOR is set, and a narrow terminal gets only the running step', async () => {
  const { stream, said: output, now } = createStream(true, 20)
  const progress = createProgress('edge', { stream, now, environment: { NO_COLOR: '' } })
  await progress.step('generate', () => undefined)
  await progress.step('bundle', () => undefined)
  progress.end()
  assert.ok(output().includes('\u001b[2m'))
  const last = output()
    .split('\r\u001b[K')
    .at(-1)!
    .replaceAll(/\u001b\[\d+m/g, '')
  assert.match(last, /^edge: bundle \d+\.\d s\n$/)
})

test('the time is updated while a step runs, and a failing step ends the line', async () => {
  const { stream, said: output, now } = createStream(true)
  const progress = createProgress('edge', { stream, now, environment: {} })
  const failing = progress.step('prove', async () => {
    await new Promise((done) => setTimeout(done, 350))
    throw new Error('no')
  })
  assert.instance(await failing.catch((error: unknown) => error), Error)
  progress.end()
  assert.ok(output().split('\r\u001b[K').length >= 4, output())
  assert.ok(output().endsWith('\n'))
})

test.run()
