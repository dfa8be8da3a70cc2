/** Several profiles in one run: the builds overlap, but their results come in order. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/errors.ts'
import { buildProfile } from '../../../scripts/build/build.ts'
import { buildDir } from '../../../scripts/build/paths.ts'
import { buildAllShown } from '../../../scripts/toolkit/build-shown.ts'

const test = suite('several profiles')

/** The result of each build: the name of the profile, or the code of the error. */
async function outcomes(builds: ReturnType<typeof buildAllShown>): Promise<(string | undefined)[]> {
  const results = await Promise.allSettled(builds)
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value.plan.profile.name
    return isSvcError(result.reason) ? result.reason.code : String(result.reason)
  })
}

test('results come in the order in which the profiles are named', async () => {
  assert.equal(await outcomes(buildAllShown(['minimal', 'embedded-mobile'], 'plan')), ['minimal', 'embedded-mobile'])
})

test('profiles after a failed one are not built, and profiles before it are', async () => {
  const found = await outcomes(buildAllShown(['minimal', 'no-such', 'embedded-mobile'], 'plan'))
  assert.equal(found, ['minimal', 'ERR_PROFILE_NOT_FOUND', 'ERR_PROFILE_NOT_FOUND'])
})

test('two builds of one profile do not use its folder at the same time', async () => {
  const seen: string[] = []
  const build = (which: string): Promise<unknown> =>
    buildProfile('embedded-mobile', 'bundle', async (stage, work) => {
      if (stage !== 'plan') seen.push(`${which} ${stage}`)
      return work()
    })
  await Promise.all([build('one'), build('other')])
  const [first] = seen[0]!.split(' ')
  const second = first === 'one' ? 'other' : 'one'
  assert.equal(seen, [`${first} generate`, `${first} bundle`, `${second} generate`, `${second} bundle`])
})

test('a profile that is proved while an earlier one is refused is not delivered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-several-'))
  const before = process.env['SVC_DIST']
  process.env['SVC_DIST'] = join(folder, 'dist')
  try {
    const file = join(folder, 'swollen.ts')
    const size = 'gzipBytes: 1'
    writeFileSync(
      file,
      `export const profile = { name: 'swollen', summary: 'S.', extends: 'embedded-mobile', library: { ${size} } }\n`,
    )
    const found = await outcomes(buildAllShown([file, 'embedded-mobile'], 'pack'))
    assert.equal(found, ['ERR_PROOF_BUDGET', 'ERR_PROOF_BUDGET'])
    assert.not.ok(existsSync(join(folder, 'dist', 'embedded-mobile')))
  } finally {
    if (before === undefined) delete process.env['SVC_DIST']
    else process.env['SVC_DIST'] = before
    rmSync(folder, { recursive: true, force: true })
    rmSync(buildDir('swollen'), { recursive: true, force: true })
  }
})

test.run()
