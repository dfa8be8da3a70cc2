/** Holds what was bundled to what the profile allows. */
import { type Account, packagesIn } from '../account/account.ts'
import type { Problem } from '../errors.ts'
import type { Plan } from '../plan/target-plan.ts'
import { isAllowed } from './licences.ts'

/** Everything that the profile does not allow. */
export function checkPolicy({ profile }: Plan, account: Account): Problem[] {
  return checkLicences(profile.licenses, account)
}

/** That every package of which a byte is delivered has a licence that the profile names; without a list all are taken. */
function checkLicences(allowed: readonly string[] | undefined, account: Account): Problem[] {
  if (allowed === undefined) return []
  return packagesIn(account, account.bundles).flatMap((place): Problem[] => {
    const { name, version, licence } = account.packages[place]!
    if (isAllowed(licence, allowed)) return []
    const said = licence === null ? 'names no licence' : `is under ${JSON.stringify(licence)}`
    return [
      {
        code: 'ERR_POLICY_LICENCE',
        message: `${name} ${version} (${place}) ${said}, and the profile allows ${allowed.join(', ') || 'none'}.`,
        hint: 'Add the licence to `licenses` of the profile, or take out the feature that brings the package.',
      },
    ]
  })
}
