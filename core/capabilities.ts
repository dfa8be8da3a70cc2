/** The names by which plugins find each other's work. */
import type { LogSink } from './log.ts'

/**
 * The capabilities by name. A plugin adds its own in a `capabilities.ts`, so that users of it are typed without importing
 * a value from it:
 * `declare module '../../core/plugin.ts' { interface Capabilities { Live: Live } }`;
 * outside of this project the module to name is `svc/plugin`.
 */
export interface Capabilities {
  /** Where log records go. The kernel attaches it as soon as it is provided. */
  LogSink: LogSink
}

/**
 * What commands give to those of other families, by name: between families it is the only way. A family adds its own in
 * its `capabilities.ts`: `declare module '../../core/plugin.ts' { interface CommandCapabilities { Quotes: Quotes } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be added to.
export interface CommandCapabilities {}

/**
 * What a feature keeps in the store of the service, such as its tables. The family that has the store adds the members, in the
 * way of `CommandCapabilities`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be added to.
export interface StorePart {}
