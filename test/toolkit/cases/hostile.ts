/** Folders that are no build. */
import * as assert from 'uvu/assert'
import type { Case } from '../case.ts'

/** The cases. */
export const hostileCases: readonly Case[] = [
  [
    'what is in the folder of a build is no profile, and a folder without a build is said to be none',
    ({ run, write }) => {
      write('account.json', '{}')
      const { code, err } = run(['explain', './quote', 'jose'])
      assert.is(code, 78)
      assert.match(err, /quote holds no account\.json that can be read\.\n {2}→ Build the profile/)
      assert.is(run(['verify', './quote']).code, 78)
    },
  ],
]
