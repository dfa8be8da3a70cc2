/**
 * The type of a profile: its settings, capabilities and routes, and the profiles that have those which it lacks. A
 * build generates one type for each profile. The type does not exist at run time.
 */
import type { Capabilities, CapabilityName } from './plugin.ts'

/** The common type of all profiles. */
export interface ProfileTypes {
  readonly name: string
  /** Settings, nested as in a configuration file. */
  readonly settings: object
  /** Names of the capabilities that its plugins provide. */
  readonly capabilities: string
  /** Routes as `GET /health`. */
  readonly routes: string
  /** Capabilities and routes that the profile lacks, each with a text that names the profiles that have it. */
  readonly absent: { readonly capabilities: object; readonly routes: object }
}

/** For an unknown profile: it may have everything. */
export interface AnyProfile extends ProfileTypes {
  readonly settings: Readonly<Record<string, unknown>>
  readonly capabilities: CapabilityName
  readonly absent: {
    readonly capabilities: Readonly<Record<never, never>>
    readonly routes: Readonly<Record<never, never>>
  }
}

/**
 * A type that accepts no value. The compiler prints its parameter, which names the profiles that have the absent
 * member.
 */
export interface Absent<Why extends string> {
  readonly 'absent from this profile': Why
  readonly [unique]: never
}

declare const unique: unique symbol

/** The name of a capability, or a type that refuses it. `G` are the names that plugins of the host provide. */
export type CapabilityIn<P extends ProfileTypes, N extends CapabilityName, G extends CapabilityName = never> = N extends
  | G
  | P['capabilities']
  ? N
  : N extends keyof P['absent']['capabilities']
    ? Absent<P['absent']['capabilities'][N] & string>
    : Absent<`no plugin of ${P['name']} or of the host gives it`>

/**
 * Returns capabilities of a runtime. A name that neither the profile nor a plugin of the host provides does not
 * compile.
 */
export type CapabilityOf<P extends ProfileTypes, G extends CapabilityName = never> = <N extends CapabilityName>(
  name: N & CapabilityIn<P, N, G>,
) => Capabilities[N]
