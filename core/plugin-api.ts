/**
 * `svc/plugin`: the API for authors of plugins and profiles. It exports every type that its functions take or return,
 * because the declarations of a published plugin name these types.
 */

export * from './declare/capabilities.ts'
export { type Command, type CommandGifts, type CommandIo, UsageError } from './declare/command.ts'
export { described, documented } from './declare/described.ts'
export {
  defineErrors,
  type ErrorCatalogue,
  type ErrorOptions,
  type ErrorRow,
  isSvcError,
  SvcError,
} from './declare/errors.ts'
export {
  type About,
  defineFeature,
  type FeatureDefinition,
  type FeatureValue,
  type Need,
  type Needs,
  type SetupContext,
} from './declare/feature.ts'
export { closed, type JsonSchema, type JsonType } from './declare/json-schema.ts'
export type { BuildInfo, Manifest, Stability } from './declare/manifest.ts'
export {
  type Deprecation,
  defineProfile,
  type Feature,
  type FeatureId,
  type FeatureSet,
  type Features,
  type ModuleRef,
  type NativeBinary,
  type Platform,
  type Profile,
  type TargetSpec,
  type Use,
} from './declare/matrix.ts'
export {
  type Counter,
  counter,
  type Gauge,
  gauge,
  type Histogram,
  histogram,
  type InstrumentsOf,
  type Labels,
  type Metric,
  type MetricOptions,
  type MetricSink,
  type MetricSpec,
  type MetricsTable,
} from './declare/metric.ts'
export {
  type AnswerSpec,
  eventStream,
  type OperationSpec,
  type Operations,
  type ParameterSpec,
  refusal,
} from './declare/operation.ts'
export type { CapabilityName, Plugin, PluginContext } from './declare/plugin.ts'
export type {
  AnswerAbout,
  Call,
  JsonBody,
  ParamsOf,
  RouteAbout,
  RouteDefinition,
  RouteMaker,
  RouteText,
  RouteValue,
} from './declare/route.ts'
export { Secret } from './declare/secret.ts'
export {
  choice,
  decimal,
  dictionary,
  flag,
  integer,
  list,
  type Setting,
  type SettingOptions,
  type SettingsOf,
  type SettingsTable,
  secret,
  text,
} from './declare/settings.ts'
export type { Guard } from './http/guard.ts'
export type { Hook } from './http/hooks.ts'
export type { Credential, Identity } from './http/identity.ts'
export {
  checkShape,
  parseJson,
  readJson,
  type Schema,
  type SchemaIssue,
  type SchemaResult,
} from './http/json-body.ts'
export {
  empty,
  json,
  type PlainReply,
  type Reply,
  type ReplyHeaders,
  type StreamReply,
  type StreamSink,
} from './http/reply.ts'
export type { Peer, SvcRequest, TraceContext } from './http/request.ts'
export type { BodySpec, Handler, JsonBounds, Route, RouteSpec, SurfaceName } from './http/route.ts'
export type { Surface } from './http/surface.ts'
export { type HttpCode, httpFail } from './kernel/catalogue.ts'
export type { Clock, Random, Timer } from './kernel/environment.ts'
export type { Logger, LogLevel, LogRecord, LogSink } from './kernel/log.ts'
export type { SettingRefusal } from './kernel/settings/resolve.ts'
export type { Awaitable } from './kernel/values.ts'
export {
  type Answer,
  type CallCase,
  type Caller,
  type Case,
  type CaseBase,
  type CommandCase,
  type Contract,
  defineContract,
  type Exits,
  type Expect,
  type HttpCase,
  type Library,
  type NoCases,
  type OpenAnswer,
  type Program,
  type Ran,
  type Send,
  type Target,
  type Throws,
} from './testing/contract.ts'
