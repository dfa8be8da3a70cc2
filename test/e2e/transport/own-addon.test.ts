/** Tests a uWebSockets.js addon of the user, given by its path, with the shipped program and the shipped executable. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { shippedProgram, startEnvironment, unbuilt } from '../telemetry/built-service.ts'
import { addonOf } from './addon-of.ts'

const test = suite('an addon of the user')
const executable = join(distDir('server-full'), 'svc')

/** The shipped forms: each with its command, and the reason if this form cannot be tested. */
const forms = {
  'the program': {
    unable: unbuilt,
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', shippedProgram],
  },
  'the executable': {
    unable: existsSync(executable) ? undefined : 'the executable of server-full has not been made',
    command: executable,
    args: [],
  },
} as const

/** Starts a form, sends one request and returns its log. */
async function start(form: keyof typeof forms, environment: Record<string, string>): Promise<string> {
  const folder = folderWith()
  const env = { ...startEnvironment(folder), SVC_SERVER__MODE: 'runtime', SVC_LOGS__FORMAT: 'json', ...environment }
  const child = startChild(forms[form].command, { args: [...forms[form].args], env })
  try {
    const [, port] = await child.waitFor(/"message":"Listening\."[^\n]*127\.0\.0\.1:(\d+)/)
    const answer = await fetch(`http://127.0.0.1:${port}/health`)
    assert.equal(await answer.json(), { status: 'ok' })
  } finally {
    await child.stop()
  }
  return child.out
}

/** Returns the transport and the addon version from a log. */
function servedBy(log: string): readonly [transport: string | undefined, version: string | undefined] {
  return [/"transport":"(\w+)"/.exec(log)?.[1], /less strictly[^\n]*"version":"([^"]+)"/.exec(log)?.[1]]
}

for (const form of Object.keys(forms) as (keyof typeof forms)[]) {
  const { unable } = forms[form]

  testUnless(test, unable, `${form} loads the addon of the user from its path and logs its version`, async () => {
    const path = addonOf('uws-of-mine', '3.2.1')
    const log = await start(form, { SVC_SERVER__TRANSPORT: 'uws', SVC_SERVER__UWS_ADDON: path })
    assert.equal(servedBy(log), ['uws', 'uws-of-mine@3.2.1'])
    assert.is(log.match(/less strictly than node:http/g)?.length, 1)
    assert.match(log, /first line arrives in two pieces/)
  })

  testUnless(test, unable, `${form} logs the version of its bundled addon`, async () => {
    const log = await start(form, { SVC_SERVER__TRANSPORT: 'uws' })
    assert.match(String(servedBy(log)[1]), /^uws-pack@\d+\.\d+\.\d+$/)
  })

  testUnless(
    test,
    unable,
    `${form}: auto selects an addon of the user with a version that is known to be right, but not the bundled addon`,
    async () => {
      const right = addonOf('uWebSockets.js', '20.57.0')
      const log = await start(form, { SVC_SERVER__UWS_ADDON: right })
      assert.equal(servedBy(log), ['uws', 'uWebSockets.js@20.57.0'])
      assert.not.match(log, /first line arrives in two pieces/)
      assert.equal(servedBy(await start(form, {})), ['node', undefined])
    },
  )
}

test.run()
