/** `svc/plugin`: the API for authors of plugins and profiles. */
export * from './capabilities.ts'
export { httpFail } from './catalogue.ts'
export { type Command, type CommandGifts, type CommandIo, UsageError } from './command.ts'
export {
  type Answer,
  type Case,
  type Contract,
  defineContract,
  type Library,
  type Program,
  type Send,
  type Target,
} from './contract.ts'
export { defineErrors, type ErrorCatalogue, isSvcError, SvcError } from './errors.ts'
export { defineProfile, type Feature, type Platform, type Profile } from './feature.ts'
export { checkShape, parseJson, readJson, type Schema } from './http/body/json-body.ts'
export { empty, json, type Reply, type StreamSink } from './http/reply.ts'
export type { SvcRequest } from './http/request.ts'
export type { RouteSpec } from './http/route.ts'
export type { Identity } from './identity.ts'
export { closed, type JsonSchema } from './json-schema.ts'
export type { Logger, LogRecord, LogSink } from './log.ts'
export { eventStream, type Operations, refusal } from './operation.ts'
export { definePlugin, type Plugin, type PluginContext } from './plugin.ts'
export { choice, decimal, dictionary, flag, integer, list, secret, text } from './settings/kinds.ts'
export { Secret } from './settings/secret.ts'
