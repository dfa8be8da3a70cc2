/** The environment of the process, as the settings are read from it. */
import { toVariable } from '../../core/kernel/settings/resolve.ts'

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Removes empty variables of OpenTelemetry, which its specification treats as not set. */
export function readEnvironment(environment: Environment): Environment {
  const entries = Object.entries(environment)
  return Object.fromEntries(entries.filter(([name, value]) => value !== '' || !name.startsWith('OTEL_')))
}

/**
 * Variables that differ from a setting only in underscores, such as `SVC_SERVER_PORT`, each with the variable that was
 * meant. Other programs may use names that begin with SVC_ too, so nothing else is guessed. The reader of settings
 * reports unknown names with `__`.
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
