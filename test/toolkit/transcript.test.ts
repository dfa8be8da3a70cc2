/** The first hour of a new user, from an empty folder to an executable: docs/toolkit.md shows the real output. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/build/paths.ts'
import { leaveSeen } from '../../scripts/renew/seen-texts.ts'
import { secret, tokenFor } from '../conformance/caller.ts'
import { BUILD_MS } from '../runner/limit.ts'
import { skip } from '../support/skip.ts'
import { isPacked, masked, type Rig, unpack } from './rig.ts'

const test = suite('transcript')
const page = 'docs/toolkit.md'
const PLACE = /(<!-- transcript -->\n```console\n)([\s\S]*?)(```\n)/

/** One command with its output and its time. */
interface Said {
  readonly command: string
  readonly lines: readonly string[]
  readonly ms: number
}

/** Runs a command, which must succeed. */
function run({ good }: Rig, ...args: string[]): Said {
  const sinceMs = performance.now()
  // The bytes of each part change with every change of the code.
  const out = good(...args).replace(/^bytes:\n(( {2}~ index\.mjs (?:all|gzip).*\n)*)(?: {2}.*\n)*/m, 'bytes:\n$1  …\n')
  return {
    command: `npx svc-build ${args.join(' ')}`,
    lines: out.trimEnd().split('\n'),
    ms: performance.now() - sinceMs,
  }
}

/** Starts `dev`, saves a file, sends a request to the new process, and ends it. */
async function develop({ start, path, read, write }: Rig): Promise<Said> {
  const sinceMs = performance.now()
  const child = start(['dev', 'edge.ts', '--port', '0'], { SVC_SECURITY__JWT_SECRET: secret })
  const [, port] = await child.waitFor(/http:\/\/127\.0\.0\.1:(\d+)/, BUILD_MS)
  const before = read('quote.ts')
  write('quote.ts', before.replaceAll('Less is more.', 'Less is enough.'))
  await child.waitFor(/\+2 bytes/, BUILD_MS)
  const headers = { connection: 'close', authorization: `Bearer ${tokenFor({ user: 'ada' })}` }
  const answer = await fetch(`http://127.0.0.1:${port}/edge/quote/1`, { headers })
  const { quote } = (await answer.json()) as { quote: string }
  assert.is(quote, 'Less is enough.')
  write('quote.ts', before)
  await child.waitFor(/−2 bytes/, BUILD_MS)
  assert.is((await child.stop('SIGTERM', BUILD_MS)).code, 0, child.err)
  const shown = child.err.split('\n').filter((line) => /^(?:edge\.ts: bundled| {2}(?:address|token) )/.test(line))
  const [up, rest] = [shown.slice(0, 3), shown.slice(3)]
  const note = ['  # "Less is more." becomes "Less is enough." in quote.ts, and back; each is answered at once']
  assert.ok(path('edge.ts') !== '')
  return {
    command: 'npx svc-build dev edge.ts',
    lines: [...up, ...note, ...rest].map((line) => line.replaceAll(`:${port}`, ':8080')),
    ms: performance.now() - sinceMs,
  }
}

function toText(all: readonly Said[]): string {
  return all
    .map(
      ({ command, lines, ms }) =>
        `$ ${command}   # ${(ms / 1_000).toFixed(1)} s\n${lines.map((line) => `${line}\n`).join('')}`,
    )
    .join('\n')
}

/** Masks numbers and file names that differ between runs. */
function stable(text: string): string {
  return (
    masked(text)
      .replace(/\d+ (bytes|components|routes|built-ins|built-in|proven|file)\b/g, '<n> $1')
      // Any file of a feature may be the first that the proof finds.
      .replace(/the proof names \S+/g, 'the proof names <file>')
      .replace(/-?\d[\d.,]*/g, '<n>')
  )
}

if (!isPacked) skip(test, 'transcript', 'make package has not been run')
else {
  let rig: Rig | undefined
  test.after(() => rig?.remove())
  test('from an empty folder to a signed build and an executable', async () => {
    rig = await unpack()
    const transcript = [
      run(rig, 'init'),
      await develop(rig),
      run(rig, 'build', 'edge.ts'),
      run(rig, 'explain', 'edge.ts', '/metrics'),
      run(rig, 'diff', 'minimal', 'edge.ts'),
      run(rig, 'sbom', 'edge.ts', '--out', 'edge.cdx.json'),
      run(rig, 'sign', 'edge.ts', '--new-key', 'release.pem'),
      run(rig, 'verify', 'edge.ts', '--key', 'release.pem.pub'),
      run(rig, 'binary', 'edge.ts'),
    ]
    const text = toText(transcript)
    const source = readFileSync(join(root, page), 'utf8')
    const [, , shown] = PLACE.exec(source) ?? []
    assert.ok(shown !== undefined, 'docs/toolkit.md has a place for the transcript')
    if (stable(shown!) !== stable(text))
      leaveSeen(page, (now) => now.replace(PLACE, (_, begin, __, end) => `${begin}${text}${end}`))
    assert.fixture(stable(shown!), stable(text), `${page} is stale: make renew`)
  })
}
test.run()
