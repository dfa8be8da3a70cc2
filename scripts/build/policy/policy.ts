/** Checks the bundled packages against the profile's policy. */
import { type Account, packagesIn } from '../account/account.ts'
import type { Problem } from '../errors.ts'
import type { Plan } from '../plan/target-plan.ts'
import { isAllowed } from './licences.ts'

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
