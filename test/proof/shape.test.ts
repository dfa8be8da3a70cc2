/** Two spellings of one program have the same shape, and another program has another shape. */
import { type TransformOptions, transform } from 'esbuild'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { codeOf } from '../../scripts/build/prove/code.ts'

const test = suite('shapes')

const shinglesOf = async (text: string): Promise<ReadonlySet<number>> =>
  new Set((await codeOf(text, 'x.js')).shape.shingles)

const program = `
  export function admit(request, limits) {
    const size = Number(request.headers.get('content-length') ?? limits.smallest)
    if (!(size <= limits.largest)) {
      throw new RangeError('A body of ' + size + ' bytes is over the limit of ' + limits.largest)
    }
    for (const name of limits.names) {
      if (request.headers.has(name)) request.seen.push({ name, at: Date.now(), size })
    }
    return request.seen.length > 0 ? request.reader.read(size, { exact: true }) : undefined
  }`

test('names of variables, layout, brackets and the style of statements do not change the shape', async () => {
  const whole = await shinglesOf(program)
  assert.ok(whole.size > 20)
  for (const option of ['minify', 'minifyIdentifiers', 'minifyWhitespace']) {
    const options: TransformOptions = { [option]: true }
    const { code } = await transform(program, options)
    const other = await shinglesOf(code)
    assert.equal(
      [...whole].filter((shingle) => !other.has(shingle)),
      [],
      code,
    )
  }
})

test('names of members, literals and operators change the shape', async () => {
  const whole = await shinglesOf(program)
  for (const [from, to] of [
    ['.largest', '.widest'],
    ["'content-length'", "'content-type'"],
    ['size <=', 'size <'],
    ['exact: true', 'exact: false'],
  ] as const) {
    const other = await shinglesOf(program.replaceAll(from, to))
    assert.ok(
      [...whole].some((shingle) => !other.has(shingle)),
      to,
    )
  }
})

test('a function has the shingles of its own code only', async () => {
  const { functions, shingles } = (
    await codeOf(`let before = a.b.c(d.e.f, 'g');${program};after.b.c(d.e.f, 'g')`, 'x.js')
  ).shape
  const [admit] = functions.filter(({ name }) => name === 'admit')
  assert.equal(new Set(shingles.subarray(admit!.from, admit!.to)), await shinglesOf(program))
})

test('inserted statements remove no shingle of a program', async () => {
  const lines = [
    'log(state.count, "a");',
    'state.items.push({ one: 1, two: state.next() });',
    'if (state.done(3)) state.stop("b");',
  ]
  const whole = await shinglesOf(lines.join('\n'))
  const filler = fc.array(fc.constantFrom('tick.now += 1;', 'tock("x", 2);', 'if (never) tock();', ''), {
    minLength: 3,
    maxLength: 3,
  })
  await fc.assert(
    fc.asyncProperty(filler, async (between) => {
      const filled = await shinglesOf(lines.map((line, index) => `${line}\n${between[index]}`).join('\n'))
      assert.equal(
        [...whole].filter((shingle) => !filled.has(shingle)),
        [],
      )
    }),
    { numRuns: 50 },
  )
})

test.run()
