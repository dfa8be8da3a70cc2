/** The sections of docs/benchmarks.md. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withSection } from '../../../scripts/bench/page.ts'

const block = (text: string): string => `\`make bench\`\n\n\`\`\`text\n${text}\n\`\`\`\n`
const page = `# Figures\n\nBy hand.\n\n## auth\n\n${block('old')}\nA remark.\n\n## runs alone\n\nby hand\n\n## runs\n\n${block('also old')}`

test('the output of a section is replaced, and everything else stays', () => {
  const auth = withSection(page, 'auth', block('new'))
  assert.is(auth, page.replace(block('old'), block('new')))
  assert.ok(auth.includes(`${block('new')}\nA remark.\n\n## runs alone\n`))
  const runs = withSection(auth, 'runs', block('new'))
  assert.is(runs, auth.replace(block('also old'), block('new')))
  assert.is(withSection(runs, 'runs', block('new')), runs)
})

test('a section that the page does not have becomes its last one', () => {
  assert.is(withSection(page, 'kbd', block('new')), `${page}\n## kbd\n\n${block('new')}`)
})

test('a section without a block of code is refused', () => {
  assert.throws(() => withSection('# Figures\n\n## kbd\n\nby hand\n', 'kbd', block('new')), /has no block of code/)
})

test.run()
