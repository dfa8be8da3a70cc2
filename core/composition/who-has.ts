/** Which profiles have a feature that this profile lacks. */

/** A sentence that names the standard profiles that have it. */
export function whoHas(profiles: readonly string[] = []): string {
  return profiles.length > 0 ? `Profiles that have it: ${profiles.join(', ')}.` : 'No standard profile has it.'
}
