/**
 * `svc/plugin`: the API for authors of plugins and profiles. It exports every type that its functions take or return, because the
 * declarations of a published plugin name these types.
 */
export type { Awaitable } from './awaitable.ts'
export * from './capabilities.ts'
export { type HttpCode, httpFail } from './catalogue.ts'
export { type Command, type CommandGifts, type CommandIo, UsageError } from './command.ts'
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
} from './contract.ts'
export { described } from './declare/described.ts'
export {
  type About,
  defineFeature,
  type FeatureDefinition,
  type FeatureValue,
  type Need,
  type Needs,
  type SetupContext,
} from './declare/feature.ts'
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
export { documented } from './documented.ts'
export type { Clock, Random, Timer } from './environment.ts'
export { defineErrors, type ErrorCatalogue, type ErrorOptions, type ErrorRow, isSvcError, SvcError } from './errors.ts'
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
} from './feature.ts'
export type { Guard } from './http/access/guard.ts'
export type { BodySpec, JsonBounds } from './http/body/body-spec.ts'
export {
  checkShape,
  parseJson,
  readJson,
  type Schema,
  type SchemaIssue,
  type SchemaResult,
} from './http/body/json-body.ts'
export type { Hook } from './http/hooks.ts'
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
export type { Handler, Route, RouteSpec, SurfaceName } from './http/route.ts'
export type { Surface } from './http/surface.ts'
export type { Credential, Identity } from './identity.ts'
export { closed, type JsonSchema, type JsonType } from './json-schema.ts'
export type { Logger, LogLevel, LogRecord, LogSink } from './log.ts'
export type { BuildInfo, Manifest, Stability } from './manifest.ts'
export {
  type AnswerSpec,
  eventStream,
  type OperationSpec,
  type Operations,
  type ParameterSpec,
  refusal,
} from './operation.ts'
export type { CapabilityName, Plugin, PluginContext } from './plugin.ts'
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
} from './settings/kinds.ts'
export type { SettingRefusal } from './settings/resolve.ts'
export { Secret } from './settings/secret.ts'
