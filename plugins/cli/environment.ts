/** The environment of the process, as the settings are read from it. */
import { toVariable } from '../../core/settings/resolve.ts'

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Without empty variables of OpenTelemetry, whose specification has them mean the same as none. */
export function readEnvironment(environment: Environment): Environment {
  const entries = Object.entries(environment)
  return Object.fromEntries(entries.filter(([name, value]) => value !== '' || !name.startsWith('OTEL_')))
}

/**
 * Variables that are spelt like settings but for their underscores, with what was probably meant: `SVC_SERVER_PORT`.
 * Other programs may use names that begin with SVC_ too, so nothing else is guessed. The reader of settings reports unknown
 * names with `__`.
 */
export function misspelt(
  environment: Environment,
  keys: readonly string[],
): (readonly [name: string, meant: string])[] {
  const meant = new Map(keys.map((key) => [squash(toVariable(key)), toVariable(key)]))
  return Object.keys(environment)
    .filter((name) => name.startsWith('SVC_') && !/^SVC_.+__/.test(name) && meant.has(squash(name)))
    .map((name) => [name, meant.get(squash(name))!] as const)
}

const squash = (name: string): string => name.replaceAll('_', '').toUpperCase()
