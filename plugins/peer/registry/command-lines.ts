/** Complete command lines for hints, so that an owner can paste them. */

/** The options that name projects. More than eight would make a message too long. */
export function projectOptions(projects: readonly string[]): string {
  return projects.length > 8 ? ' --project <project> …' : projects.map((project) => ` --project ${project}`).join('')
}

/** The command that makes a pairing code. */
export function pairCommand(projects: readonly string[], devices: boolean): string {
  return `svc peer pair${projectOptions(projects)}${devices ? ' --devices' : ''}`
}

/** Options of a join that are not the default. */
export interface JoinOptions {
  readonly addresses?: readonly string[] | undefined
  readonly devices: boolean
  readonly label?: string | null
  readonly projects?: readonly string[]
}

/** The command that takes a pairing code from standard input. */
export function joinCommand({ addresses = [], devices, label = null, projects = [] }: JoinOptions): string {
  const named = label === null ? '' : ` --label ${label}`
  const listening = addresses.map((address) => ` --address ${address}`).join('')
  return `svc peer join -${devices ? ' --devices' : ''}${named}${projectOptions(projects)}${listening}`
}
