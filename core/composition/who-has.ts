/** Where to look for what this profile lacks. */

/** The standard profiles that have it, in a sentence. */
export function whoHas(profiles: readonly string[] = []): string {
  return profiles.length > 0 ? `Profiles that have it: ${profiles.join(', ')}.` : 'No standard profile has it.'
}
