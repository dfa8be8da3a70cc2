import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { skip } from '../../support/skip.ts'
import { hasProgram } from './programs.ts'

const program = new URL('./write-lines.ts', import.meta.url).pathname

interface Outcome {
  readonly lines: readonly string[]
  readonly written: number
  readonly worst: number
  readonly flushMs: number
  readonly code: number | null
}

/** Runs the program with a pipe on its output. The pipe is read at once, late, or not before the exit. */
async function run(count: number, ending: 'clean' | 'crash', reader: 'eager' | 'late' | 'never'): Promise<Outcome> {
  const child = spawn(process.execPath, [program, String(count), ending], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let report = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    report += text
    if (reader === 'late' && report.includes('written\n') && child.stdout.listenerCount('data') === 0) read()
  })
  child.stdout.setEncoding('utf8')
  const read = (): unknown => child.stdout.on('data', (text: string) => (out += text))
  if (reader === 'eager') read()
  if (reader === 'never') child.on('exit', read)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    ...(JSON.parse(report.replace('written\n', '')) as Outcome),
    lines: out.split('\n').filter((line) => line !== ''),
    code,
  }
}

function numbers(lines: readonly string[]): number[] {
  return lines.map((line) => JSON.parse(line) as { n?: number }).flatMap(({ n }) => (n === undefined ? [] : [n]))
}

test('a reader that keeps up gets every line', async () => {
  const { lines, code } = await run(20_000, 'clean', 'eager')
  assert.equal(
    numbers(lines),
    Array.from({ length: 20_000 }, (_, i) => i),
  )
  assert.is(code, 0)
})

test('a late reader does not block the service, and after a clean stop every line was delivered or counted', async () => {
  const { lines, written, worst, code } = await run(60_000, 'clean', 'late')
  assert.ok(worst < 200, `stalled for ${worst} ms`)
  const dropped = lines
    .map((line) => JSON.parse(line) as { dropped?: number })
    .reduce((sum, line) => sum + (line.dropped ?? 0), 0)
  assert.ok(dropped > 0, 'the queue never filled')
  assert.is(numbers(lines).length + dropped, written)
  assert.is(code, 0)
})

test('a stop does not wait long for a reader that never reads', async () => {
  const { worst, flushMs, code } = await run(60_000, 'clean', 'never')
  assert.ok(worst < 200, `stalled for ${worst} ms`)
  assert.ok(flushMs < 4_500, `waited ${flushMs} ms`)
  assert.is(code, 0)
})

test('the last lines before a crash are written', async () => {
  const { lines, code } = await run(500, 'crash', 'eager')
  assert.is(numbers(lines).at(-1), 499)
  assert.is(code, 1)
})

const pausedTitle = 'a paused terminal does not block the service'
if (!hasProgram('script')) skip(test, pausedTitle, 'no `script` program to make a terminal with')
else test(pausedTitle, heldTerminal)

async function heldTerminal(): Promise<void> {
  // `script` gives the program a terminal. If the output of `script` is not read, the terminal fills as after Ctrl-S.
  const command = `exec "${process.execPath}" "${program}" 60000 clean 2>"$SVC_REPORT"`
  const folder = mkdtempSync(join(tmpdir(), 'svc-log-'))
  try {
    const report = join(folder, 'report')
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, SVC_REPORT: report, SHELL: '/bin/sh' },
    })
    const ended = new Promise((resolve) => child.on('close', resolve))
    setTimeout(() => child.stdout.resume(), 1_500)
    await ended
    const { worst, written } = JSON.parse(readFileSync(report, 'utf8').replace('written\n', '')) as Outcome
    assert.is(written, 60_000)
    assert.ok(worst < 200, `stalled for ${worst} ms`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test.run()
