/** Determines which Accept fields get the page for browsers: those that name HTML and prefer it to JSON. */
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prefersHtml } from '../../../plugins/auth/guard/browser-page.ts'

const test = suite('prefers HTML')

test('browsers get HTML; programs do not', () => {
  for (const [accept, expected] of [
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
    ['text/html', true],
    ['TEXT/HTML ; Q=0.5, application/json;q=0.4', true],
    ['application/json;q=0, text/html;q=0.001', true],
    ['*/*', false],
    ['text/*', false],
    ['application/json', false],
    ['application/json, text/html', false],
    ['text/html;q=0.8, application/json', false],
    ['text/html;q=0', false],
    ['text/html, */*', false],
    ['text/html;q=2, application/json;q=0.1', false],
    ['text/html;q=0.5, application/*;q=0.6', false],
    ['', false],
  ] as const) {
    assert.is(prefersHtml(accept), expected, accept)
  }
  assert.is(prefersHtml(undefined), false)
})

test('any text gets an answer, and no text without HTML prefers HTML', () => {
  const part = fc.constantFrom('text/html', 'application/json', '*/*', ';q=', '0.5', '1', ',', ';', ' ', 'x', '=', '"')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      if (prefersHtml(text)) assert.ok(text.includes('text/html'), text)
    }),
  )
})

test.run()
