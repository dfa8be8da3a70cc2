/** dev: the program is replaced at each change, and the port stays the same. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { secret, tokenFor } from '../../conformance/caller.ts'
import { BUILD_MS } from '../../runner/limit.ts'
import type { Case } from '../case.ts'

async function quoteAt(port: number): Promise<string> {
  const headers = { connection: 'close', authorization: `Bearer ${tokenFor({ user: 'ada' })}` }
  const answer = await fetch(`http://127.0.0.1:${port}/edge/quote/1`, { headers })
  return ((await answer.json()) as { quote: string }).quote
}

/**
 * Polls until the answer is `wanted`, and returns the time in milliseconds. Fails at the first request without an
 * answer.
 */
async function until(port: number, wanted: string): Promise<number> {
  const sinceMs = performance.now()
  while ((await quoteAt(port)) !== wanted) {
    assert.ok(performance.now() - sinceMs < BUILD_MS, `the answer never was "${wanted}"`)
    await pause(5)
  }
  return performance.now() - sinceMs
}

/** The cases. */
export const devCases: readonly Case[] = [
  [
    'dev: a saved file takes effect without a lost request, an error keeps the running program, and a signal ends dev',
    async ({ start, path, read }) => {
      const child = start(['dev', 'edge.ts', '--port', '0'], { SVC_SECURITY__JWT_SECRET: secret })
      const [, port] = await child.waitFor(
        /edge\.ts: bundled in \d+ ms, up in \d+ ms, [\d.]+ KiB; http:\/\/127\.0\.0\.1:(\d+)/,
        BUILD_MS,
      )
      const before = read('quote.ts')
      const save = (text: string): void => writeFileSync(path('quote.ts'), text)
      try {
        assert.is(await quoteAt(Number(port)), 'Less is more.')
        save(before.replaceAll('Less is more.', 'More is less, and longer.'))
        await until(Number(port), 'More is less, and longer.')
        await child.waitFor(/feature:edge\.quote \+12 bytes/, BUILD_MS)
        save(`${before}\nbroken(`)
        await child.waitFor(/quote\.ts:\d+: Unexpected end of file\s+→ what ran before runs on/, BUILD_MS)
        assert.is(await quoteAt(Number(port)), 'More is less, and longer.')
        save(before)
        await until(Number(port), 'Less is more.')
      } finally {
        save(before)
      }
      assert.is((await child.stop('SIGTERM', BUILD_MS)).code, 0, child.err)
    },
  ],
  [
    'dev: prints the address and a call with a token, and both work when they are pasted into another shell',
    async ({ start, folder, path }) => {
      const audience = 'svc of the tests'
      const child = start(['dev', 'edge.ts', '--port', '0'], { SVC_SECURITY__JWT_AUDIENCE: audience })
      const [, address] = await child.waitFor(/^ {2}address {2}(http:\S+)$/m, BUILD_MS)
      const [, call, url] = await child.waitFor(/^ {2}token {4}(curl .* (http:\S+))$/m, BUILD_MS)
      assert.is((await fetch(address!)).status, 200)
      assert.is((await fetch(url!)).status, 401)
      // As in another shell: without the variables of the first. `echo` shows what `curl` would send.
      const environment = { PATH: process.env['PATH'], HOME: folder }
      const pasted = spawnSync('sh', ['-c', call!.replace(/^curl -H/, 'echo')], {
        cwd: folder,
        encoding: 'utf8',
        env: environment,
      })
      const [, authorization] = /^Authorization: (Bearer \S+) http/.exec(pasted.stdout) ?? []
      assert.ok(authorization, `${call}\n${pasted.stdout}${pasted.stderr}`)
      const answer = await fetch(url!, { headers: { authorization: authorization!, connection: 'close' } })
      assert.is(answer.status, 200, await answer.text())
      const [launcher] = /\S+\/svc(?= token)/.exec(call!) ?? []
      const file = path(launcher!.replace('$(', ''))
      assert.is(statSync(file).mode & 0o777, 0o700)
      assert.is((await child.stop('SIGTERM', BUILD_MS)).code, 0, child.err)
      assert.not.ok(existsSync(file), 'the command with the secret is gone')
    },
  ],
  [
    'dev: a port in use is reported before anything is started, and a profile without a program is refused',
    async ({ run, write, read }) => {
      const taken = createServer()
      await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
      const { port } = taken.address() as AddressInfo
      const { code, err } = run(['dev', 'edge.ts', '--port', String(port)])
      taken.close()
      assert.is(code, 78)
      assert.match(err, `Port ${port} cannot be listened on: EADDRINUSE.`)
      const library = "platform: 'web', features: { probes: true, 'transport.fetch': true, "
      const bare = read('edge.ts').replace("extends: 'minimal',", '').replace('features: { ', library)
      write('bare.ts', bare.replace("name: 'edge'", "name: 'bare'"))
      assert.match(run(['dev', 'bare.ts', '--port', '0']).err, 'has no program')
    },
  ],
]
