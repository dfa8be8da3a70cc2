/** The sections of docs/benchmarks.md. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withSection } from '../../../scripts/bench/page.ts'

const page = '# Figures\n\nBy hand.\n\n## auth\n\nold\n\n## runs alone\n\nby hand\n\n## runs\n\nold too\n'

test('a section is replaced, and everything else stays', () => {
  assert.is(withSection(page, 'auth', 'new\n'), page.replace('old\n', 'new\n'))
  assert.is(withSection(page, 'runs', 'new\n'), page.replace('old too\n', 'new\n'))
  assert.is(withSection(withSection(page, 'runs', 'new\n'), 'runs', 'new\n'), page.replace('old too\n', 'new\n'))
})

test('a section that the page does not have is its last one', () => {
  assert.is(withSection(page, 'kbd', 'new\n'), `${page}\n## kbd\n\nnew\n`)
})

test.run()
