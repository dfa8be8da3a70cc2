/** The declarations of capabilities from which docs/capabilities.md is generated. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readCapabilities } from '../../scripts/renew/capability-reference.ts'

const test = suite('docs/capabilities.md')

test('the page has every capability that a plugin provides, requires or wants, with a sentence', async () => {
  const { capabilities, used } = await readCapabilities()
  for (const { name, summary } of capabilities) assert.match(summary, /^[A-Z].{10,}\.$/s, name)
  const names = capabilities.map(({ name }) => name)
  assert.is(new Set(names).size, names.length, 'each once')
  for (const name of used) assert.ok(names.includes(name), name)
  assert.ok(used.size > 15)
})

test.run()
