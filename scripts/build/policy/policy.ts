/** Checks the bundled packages against the profile's policy. */

import parse, { type Info } from 'spdx-expression-parse'
import { type Account, packagesIn } from '../account/account.ts'
import type { Problem } from '../errors.ts'
import type { Plan } from '../plan/target-plan.ts'

/** Reports everything that the profile does not allow. */
export function checkPolicy({ profile }: Plan, account: Account): Problem[] {
  return checkLicences(profile.licenses, account)
}

/**
 * Checks that every package with at least one delivered byte has a licence that the profile lists. Without a list all
 * licences are allowed.
 */
function checkLicences(allowed: readonly string[] | undefined, account: Account): Problem[] {
  if (allowed === undefined) return []
  return packagesIn(account, account.bundles).flatMap((place): Problem[] => {
    const { name, version, licence } = account.packages[place]!
    if (isAllowed(licence, allowed)) return []
    const licenceText = licence === null ? 'names no licence' : `is under ${JSON.stringify(licence)}`
    return [
      {
        code: 'ERR_POLICY_LICENCE',
        message: `${name} ${version} (${place}) ${licenceText}, and the profile allows ${allowed.join(', ') || 'none'}.`,
        hint: 'Add the licence to `licenses` of the profile, or take out the feature that brings the package.',
      },
    ]
  })
}

/** Longest expression in characters that is parsed; no real expression is longer. */
const LONGEST = 500

/**
 * Whether `allowed` satisfies an SPDX expression such as `MIT`, `(MIT OR Apache-2.0) AND BSD-3-Clause` or
 * `GPL-2.0-only WITH Classpath-exception-2.0`. A text that is no expression, such as `SEE LICENSE IN LICENSE.txt`, must
 * be in the list as it is. Returns false for null.
 */
export function isAllowed(licence: string | null, allowed: readonly string[]): boolean {
  if (licence === null || licence.length > LONGEST) return false
  const has = new Set(allowed)
  const satisfies = (info: Info): boolean => {
    if ('conjunction' in info) {
      const [left, right] = [satisfies(info.left), satisfies(info.right)]
      return info.conjunction === 'and' ? left && right : left || right
    }
    const { license, plus, exception } = info
    const name = plus === true ? `${license}+` : license
    // An exception only adds permissions to a licence.
    return has.has(name) || (exception !== undefined && has.has(`${name} WITH ${exception}`))
  }
  const info = parsed(licence)
  return info === undefined ? has.has(licence) : satisfies(info)
}

function parsed(licence: string): Info | undefined {
  try {
    return parse(licence)
  } catch {
    return undefined
  }
}
