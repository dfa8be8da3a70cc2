/** The declarations of settings from which docs/settings.md is generated. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { collectSettings } from '../../scripts/renew/settings-page.ts'

const test = suite('docs/settings.md')

test('every setting has a summary that is a sentence', async () => {
  for (const [key, { setting }] of await collectSettings()) assert.match(setting.summary ?? '', /^[A-Z].{10,}\.$/s, key)
})

test.run()
