/**
 * What the compiler is told of a profile: its settings, capabilities and routes, and for what it lacks the profiles that have
 * it. A build generates one such type for each profile; nothing of it is left at run time.
 */
import type { Capabilities, CapabilityName } from './plugin.ts'

/** The type of a profile, as far as all have it in common. */
export interface ProfileTypes {
  readonly name: string
  /** Settings as a configuration nests them. */
  readonly settings: object
  /** Names of the capabilities that its plugins give. */
  readonly capabilities: string
  /** Routes as `GET /health`. */
  readonly routes: string
  /** What it lacks, each with a text that says who has it. */
  readonly absent: { readonly capabilities: object; readonly routes: object }
}

/** Where the profile is not known: everything may be there. */
export interface AnyProfile extends ProfileTypes {
  readonly settings: Readonly<Record<string, unknown>>
  readonly capabilities: CapabilityName
  readonly absent: {
    readonly capabilities: Readonly<Record<never, never>>
    readonly routes: Readonly<Record<never, never>>
  }
}

/** Takes no value: it stands where a profile has nothing, for the compiler to name the profiles that have it. */
export interface Absent<Why extends string> {
  readonly 'absent from this profile': Why
  readonly [unique]: never
}

declare const unique: unique symbol

/** A name of a capability, or what refuses it; `G` are the names that plugins of the host give. */
export type CapabilityIn<P extends ProfileTypes, N extends CapabilityName, G extends CapabilityName = never> = N extends
  | G
  | P['capabilities']
  ? N
  : N extends keyof P['absent']['capabilities']
    ? Absent<P['absent']['capabilities'][N] & string>
    : Absent<`no plugin of ${P['name']} or of the host gives it`>

/** How a runtime of a profile gives capabilities. A name that neither the profile nor a plugin of the host gives does not compile. */
export type CapabilityOf<P extends ProfileTypes, G extends CapabilityName = never> = <N extends CapabilityName>(
  name: N & CapabilityIn<P, N, G>,
) => Capabilities[N]
