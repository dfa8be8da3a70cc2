/**
 * Comments have at most 120 columns, as the formatter keeps code. Texts that the formatter cannot break may be longer.
 */
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { textsOf } from '../sources.ts'

export const test: Test = suite('long lines')

const COLUMNS = 120

/** Written by a script, from texts of any length. */
const GENERATED = 'plugins/client/routes.ts'

/** The lines of comments that are longer, as `file:line`. */
function longComments(texts: Iterable<readonly [string, string]>): string[] {
  return [...texts].flatMap(([file, text]) =>
    file === GENERATED
      ? []
      : text
          .split('\n')
          .flatMap((line, at) => (line.length > COLUMNS && /^\s*(\/\/|\/?\*)/.test(line) ? [`${file}:${at + 1}`] : [])),
  )
}

test('no comment has a longer line', () => {
  const found = ['core', 'plugins', 'profiles', 'scripts', 'test'].flatMap((folder) =>
    longComments(textsOf(`${folder}/**/*.{ts,tsx}`)),
  )
  assert.equal(found, [])
})

test('a longer line of a comment is found, and a long text is none', () => {
  const long = 'x'.repeat(COLUMNS)
  const text = `// ${long}\n/** ${long} */\n/**\n * ${long}\n */\nconst text = '${long}'\n// short\n`
  assert.equal(longComments([['a.ts', text]]), ['a.ts:1', 'a.ts:2', 'a.ts:4'])
})
